import { eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { refuseReservedDomain } from "../../domain/contact.ts";
import { badRequest, fieldError, requireFound } from "../../domain/errors.ts";
import { coded } from "../../domain/fields.ts";
import { changeShape, columnNames, toColumns } from "../../platform/administration/fields.ts";
import { auditStates } from "../../platform/audit/audit.ts";
import type { UserCaller, UserContext, WriteContext } from "../../platform/auth/caller.ts";
import { limitAccount } from "../../platform/auth/gates.ts";
import { isStaff } from "../../platform/auth/roles.ts";
import { forgetUser } from "../../platform/auth/user-limiter.ts";
import { writeThenRead } from "../../platform/db/client.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { users } from "../../platform/db/schema.ts";
import { foldedWords, searchedTexts } from "../../platform/db/search-words.ts";
import { isSame, merge, precondition, translateViolations, versionAfter } from "../../platform/db/statements.ts";
import { queueEmail } from "../../platform/email/emails.ts";
import { editedMeanwhile } from "../../platform/http/version.ts";
import type { AccountContext } from "./account-context.ts";
import { emailTaken, endRequests, requestedChange } from "./email-address/email-address.ts";
import { profileFields } from "./fields.ts";
import { endOtherSessions } from "./sessions/sessions.ts";
import { hashPassword } from "./sign-in/passwords.ts";
import { NewPassword } from "./sign-in/schemas.ts";
import { confirmPassword } from "./sign-in/sign-in.ts";
import { findUser, findUserByEmail, type UserRow } from "./users.ts";

export async function changeProfile(ctx: AccountContext<UserCaller>, sent: ProfileUpdate): Promise<UserRow> {
  const { env, db, caller, author, client } = ctx;
  const { password, current_password, email, ...fields } = sent;
  const verified = current_password === undefined ? undefined : await confirmPassword(ctx, current_password);
  const before = verified ?? (await findUser(db, caller.id));
  const isNewEmail = email !== undefined && email !== before?.email;
  if (!verified && (isNewEmail || password !== undefined)) {
    throw badRequest(
      fieldError("current_password", "required", "is required to change the e-mail address or the password"),
    );
  }
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  if (isNewEmail) await requireFree(ctx, email);
  const change = { ...toColumns(profileFields, fields), passwordHash };
  const notice = { template: "password_changed", params: { at: author.now, ...client }, userId: caller.id } as const;
  const notices = [
    ...(password === undefined ? [] : [...endRequests(caller.id), queueEmail(ctx, notice)]),
    ...(isNewEmail ? requestedChange(ctx, { userId: caller.id, email }) : []),
  ];
  if (notices.length === 0 && before && isSame(before, merge<UserRow>(before, change))) return before;
  const user = await requireFound(updateProfile(ctx, { change, verified, notices }), "The account");
  if (password !== undefined) await forgetUser(env, caller.id);
  return user;
}

/**
 * The address gets an e-mail and may be a stranger's, so it is limited like password recovery, whoever and however many ask.
 */
async function requireFree({ env, db, settings, caller }: AccountContext<UserCaller>, email: string): Promise<void> {
  refuseReservedDomain(settings, email);
  await limitAccount({ env }, "recovery", `user:${caller.id}`);
  await limitAccount({ env }, "recovery", email);
  if (await findUserByEmail(db, email)) throw emailTaken["users.email"]();
}

const editable = columnNames(profileFields);

type ProfileColumns = { [Name in (typeof editable)[number] | "passwordHash"]?: UserRow[Name] | undefined };

/**
 * Writes the changes if the `verified` password is still the account's. With a new password, every session except the current
 * one ends in the same batch. `notices` are the e-mails about the change.
 */
async function updateProfile(
  ctx: UserContext,
  { change, verified, notices }: { change: ProfileColumns; verified: UserRow | undefined; notices: readonly SQL[] },
): Promise<UserRow | undefined> {
  const { db, caller, author } = ctx;
  const { id, role } = caller;
  const words = change.name !== undefined && { foldedWords: foldedWords(searchedTexts.users({ name: change.name })) };
  const update = db
    .update(users)
    .set({ ...change, ...words, updatedAt: versionAfter(author.now) })
    .where(eq(users.id, id));
  const writes = [
    ...(verified ? [passwordIsStill(verified)] : []),
    ...(isStaff(role) ? [profileEntry(ctx, change)] : []),
    update.getSQL(),
    ...(change.passwordHash === undefined ? [] : [endOtherSessions(ctx).getSQL()]),
    ...notices,
  ];
  const read = db.select().from(users).where(eq(users.id, id));
  const [row] = await translateViolations(writeThenRead(db, writes, read), { ...emailTaken, ...editedMeanwhile });
  return row;
}

const passwordIsStill = ({ id, passwordHash }: UserRow): SQL =>
  precondition(
    sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${id} AND ${users.passwordHash} = ${passwordHash})`,
  );

/** Audit entry of the change. The database supplies the state before, so the entry precedes the change. */
const profileEntry = (ctx: Pick<WriteContext<UserCaller>, "caller" | "author">, change: ProfileColumns): SQL => {
  const { id } = ctx.caller;
  const names = editable.filter((name) => change[name] !== undefined);
  const columns = Object.fromEntries(names.map((name) => [users[name].name, users[name]]));
  const after = Object.fromEntries(names.map((name) => [users[name].name, change[name]]));
  return auditStates(ctx, {
    subject: "user",
    action: "update",
    id,
    before: sql`(SELECT ${jsonRow(columns)} FROM ${users} WHERE ${users.id} = ${id})`,
    after: sql`${JSON.stringify({ ...after, ...(change.passwordHash !== undefined && { password: "changed" }) })}`,
  });
};

/** Changing the address or the password requires the current password, because a token may be stolen. */
export const ProfileUpdate = z
  .strictObject({
    ...z.object(changeShape(profileFields)).partial().shape,
    password: NewPassword.optional(),
    current_password: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .describe("Current password. Required to change the e-mail address or the password"),
  })
  .refine(({ current_password: _, ...change }) => Object.keys(change).length > 0, {
    error: "must change something",
    ...coded("nothing_to_change"),
  })
  .meta({ id: "ProfileUpdate", description: "Fields that are not sent keep their values" });
export type ProfileUpdate = z.output<typeof ProfileUpdate>;
