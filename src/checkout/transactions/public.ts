export { idsOfTransactions, walkTransactions } from "./queries.ts";
export { type TransactionFilters, transactionFilters } from "./schemas.ts";
export {
  AdminTransaction,
  Transaction,
  type TransactionRow,
  toAdminTransaction,
  toTransaction,
} from "./transaction.ts";
