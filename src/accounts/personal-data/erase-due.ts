import { forgetUser } from "../../platform/auth/users/limiter.ts";
import type { Database } from "../../platform/db/client.ts";
import { logFault } from "../../platform/http/log.ts";
import { eraseAccount, findDueAccounts } from "./erase-queries.ts";

/** How many accounts a run of the schedule erases: the next run takes the rest. */
const AT_ONCE = 20;

/** Erases the accounts that are due. One that fails does not stop the others. */
export async function eraseDueAccounts(env: Env, db: Database, now: number): Promise<void> {
  for (const account of await findDueAccounts(db, now, AT_ONCE)) {
    try {
      await eraseAccount(db, account, now);
      await forgetUser(env, account.id);
    } catch (error) {
      logFault(`the schedule could not erase the account ${account.id}`, error);
    }
  }
}
