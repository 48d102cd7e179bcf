import type { Entry } from "../../../platform/audit/entry.ts";
import { auditEntry } from "../../../platform/audit/queries.ts";
import type { Author } from "../../../platform/auth/author.ts";
import { isStaff } from "../../../platform/auth/roles.ts";
import type { SessionUser } from "../queries.ts";

/** The sign-ins of staff are audited, the failed ones too. */
export const signInOf = (action: "sign_in" | "sign_in_failed" | "code_refused"): Entry => ({
  action,
  subject: "user",
  before: null,
  after: null,
});

/** The entry for the session that a member of staff opens; what customers do for themselves stays out. */
export const signInEntry = (author: Author, { id, role }: Pick<SessionUser, "id" | "role">) =>
  isStaff(role) ? [auditEntry({ ...author, actor: `user:${id}` }, signInOf("sign_in"), id)] : [];
