import { forgetUser } from "../../platform/auth/users/limiter.ts";
import type { Database } from "../../platform/db/client.ts";
import { workOff } from "../../platform/queues/work-off.ts";
import { eraseAccount, findDueAccounts } from "./erase-queries.ts";

/** How many accounts a run of the schedule erases: the next run takes the rest. */
const AT_ONCE = 20;

/** Erases the accounts that are due. */
export const eraseDueAccounts = (env: Env, db: Database, now: number): Promise<void> =>
  workOff(db, now, {
    queue: "erase_accounts",
    find: () => findDueAccounts(db, now, AT_ONCE),
    idOf: ({ id }) => id,
    run: async (account) => {
      await eraseAccount(db, account, now);
      await forgetUser(env, account.id);
    },
  });
