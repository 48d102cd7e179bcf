export { AdminTransaction, type TransactionRow, toAdminTransaction } from "./transaction.ts";
