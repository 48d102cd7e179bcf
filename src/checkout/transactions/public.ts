export {
  AdminTransaction,
  idsOfTransactions,
  Transaction,
  type TransactionFilters,
  type TransactionRow,
  toAdminTransaction,
  toTransaction,
  transactionFilters,
  walkTransactions,
} from "./transactions.ts";
