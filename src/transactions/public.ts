export {
  AdminTransaction,
  Transaction,
  type TransactionRow,
  toAdminTransaction,
  toTransaction,
} from "./transaction.ts";
