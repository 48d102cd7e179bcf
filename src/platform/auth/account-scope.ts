import type { AccountScope } from "../db/account-scope.ts";
import { type ApiKeyCaller, isAdministrator, type UserCaller } from "./caller.ts";

/** The accounts that a caller may read and change: those of staff are for administrators. */
export const accountScopeOf = (caller: UserCaller | ApiKeyCaller): AccountScope =>
  isAdministrator(caller) ? "everybody" : "customers";
