import type { UserCaller } from "../auth/caller.ts";
import { hashPassword, verifyPassword } from "../auth/passwords.ts";
import { forgetUser } from "../auth/users/limiter.ts";
import { findUser, type UserRow } from "../auth/users/queries.ts";
import type { Database } from "../db/client.ts";
import { badRequest, fieldError, notFound } from "../errors.ts";
import { updateProfile } from "./queries.ts";
import type { ProfileChange } from "./schemas.ts";

export async function changeProfile(
  env: Env,
  db: Database,
  caller: UserCaller,
  change: ProfileChange,
): Promise<UserRow> {
  const { name, email, password, current_password } = change;
  if (current_password !== undefined) await confirmPassword(db, caller.id, current_password);
  const user = await updateProfile(db, caller, {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(password !== undefined && { passwordHash: await hashPassword(password) }),
  });
  if (!user) throw notFound("The account");
  if (password !== undefined) await forgetUser(env, caller.id);
  return user;
}

async function confirmPassword(db: Database, id: number, password: string): Promise<void> {
  const user = await findUser(db, id);
  if (!user) throw notFound("The account");
  const { ok } = await verifyPassword(password, user.passwordHash);
  if (!ok) throw badRequest(fieldError("current_password", "wrong_password", "is wrong"));
}
