import type { SQL } from "drizzle-orm";
import { queueEmail } from "../../../platform/email/queries.ts";
import type { Secrets } from "../../../platform/settings/settings.ts";
import type { NewSession } from "../sessions/queries.ts";

/** The e-mail about a session that is opened from a new place. */
export const newPlaceNotice = (secrets: Secrets, userId: number, { now, client }: NewSession): SQL =>
  queueEmail(secrets, { template: "new_sign_in", params: { at: now, ...client }, userId }, now);
