import type { Author } from "../../platform/auth/author.ts";
import { isStaff } from "../../platform/auth/roles.ts";
import { forgetUser } from "../../platform/auth/users/limiter.ts";
import type { Database } from "../../platform/db/client.ts";
import { queueEmail } from "../../platform/email/queries.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { confirmPassword, type OwnRequest } from "../users/public.ts";
import { type ErasureChange, requestErasure, undoErasure } from "./erasure-queries.ts";

type Erasing = { env: Env; db: Database; settings: Settings };

/** The owner's own request: every session ends, this one too. */
export async function eraseOwnAccount(request: OwnRequest, password: string) {
  const { author, caller } = request;
  const { id, passwordHash } = await confirmPassword(request, password);
  return erase(request, { id, author, audit: isStaff(caller.role) ? author : null, verified: passwordHash });
}

export const eraseCustomer = (erasing: Erasing, id: number, author: Author) =>
  erase(erasing, { id, author, audit: author });

async function erase({ env, db, settings }: Erasing, change: ErasureChange) {
  const { id, author } = change;
  const notice = { template: "erasure_requested", params: {}, userId: id } as const;
  const requested = await requestErasure(db, change, [queueEmail(settings.linkSecrets, notice, author.now)]);
  await forgetUser(env, id);
  return requested;
}

export const keepOwnAccount = ({ db, caller: { id }, author }: OwnRequest) =>
  undoErasure(db, { id, author, audit: null });

export const keepCustomer = (db: Database, id: number, author: Author) =>
  undoErasure(db, { id, author, audit: author });
