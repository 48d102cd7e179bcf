import type { AccountScope } from "../db/account-scope.ts";
import type { ApiKeyCaller, UserCaller } from "./caller.ts";

/** The accounts that a caller may read and change: an API key has no access to administrators. */
export const accountScopeOf = ({ kind }: UserCaller | ApiKeyCaller): AccountScope =>
  kind === "api_key" ? "customers" : "everybody";
