import { idsOfUserSearch, idsOfUsers, toUser, User, type UserFilters, walkUsers } from "../../accounts/users/public.ts";
import {
  AdminTransaction,
  idsOfTransactions,
  type TransactionFilters,
  toAdminTransaction,
  walkTransactions,
} from "../../checkout/transactions/public.ts";
import { AdminFile, type FileFilters, idsOfFileSearch, toAdminFile, walkFiles } from "../../downloads/files/public.ts";
import { walkEntries } from "../../platform/audit/audit.ts";
import { AuditEntry, type AuditFilters, toAuditEntry } from "../../platform/audit/schemas.ts";
import type { Place } from "./schemas.ts";
import type { Source } from "./stream.ts";
import { allIds, byIds, inOrderOfIds, type Reading, type Which } from "./walk.ts";

export function customerSource({ db, scope, currency }: Reading, query: UserFilters & Place): Source {
  const { search, after_id } = query;
  const read = (which: Which) => walkUsers(db, query, scope, which);
  const shown = (row: Awaited<ReturnType<typeof read>>[number]) => [toUser(row, currency)];
  const next = search
    ? byIds(
        allIds((after, limit) => idsOfUserSearch(db, search, after, limit), after_id),
        read,
        shown,
      )
    : inOrderOfIds(read, shown, after_id, () => idsOfUsers(db, query));
  return { columns: Object.keys(User.shape), next };
}

export function fileSource({ db }: Reading, query: FileFilters & Place): Source {
  const { search, after_id } = query;
  const read = (which: Which) => walkFiles(db, query, which);
  const shown = (row: Awaited<ReturnType<typeof read>>[number]) => [toAdminFile(row)];
  const next = search
    ? byIds(
        allIds((after, limit) => idsOfFileSearch(db, search, after, limit), after_id),
        read,
        shown,
      )
    : inOrderOfIds(read, shown, after_id);
  return { columns: Object.keys(AdminFile.shape), next };
}

export const transactionSource = (reading: Reading, query: TransactionFilters & Place): Source => ({
  columns: Object.keys(AdminTransaction.shape),
  next: inOrderOfIds(
    (which) => walkTransactions(reading.db, query, reading.scope, which),
    (row) => [toAdminTransaction(row, reading.currency)],
    query.after_id,
    () => idsOfTransactions(reading.db, query),
  ),
});

export const auditSource = ({ db }: Reading, query: AuditFilters & Place): Source => ({
  columns: Object.keys(AuditEntry.shape),
  next: inOrderOfIds(
    (which) => walkEntries(db, query, which),
    (row) => [toAuditEntry(row)],
    query.after_id,
  ),
});
