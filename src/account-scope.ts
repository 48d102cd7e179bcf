import type { ApiKeyCaller, UserCaller } from "./auth/caller.ts";

/** Whose accounts a caller may read and change: an API key has no access to administrators. */
export type AccountScope = "everybody" | "customers";

export const accountScopeOf = ({ kind }: UserCaller | ApiKeyCaller): AccountScope =>
  kind === "api_key" ? "customers" : "everybody";

/** An account and the scope of the caller who names it: outside of the scope it is not found. */
export type Target = { id: number; scope: AccountScope };
