import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { refuseReservedDomain } from "../../domain/contact.ts";
import { conflict, externalIdTaken } from "../../domain/errors.ts";
import { newRow, newShape } from "../../platform/administration/fields.ts";
import { requireFreshForChange } from "../../platform/administration/sensitive-changes.ts";
import { auditEntry } from "../../platform/audit/audit.ts";
import { type ApiKeyCaller, accountScopeOf, type UserCaller, type WriteContext } from "../../platform/auth/caller.ts";
import { limitAccount } from "../../platform/auth/gates.ts";
import { requireRow } from "../../platform/db/client.ts";
import { users } from "../../platform/db/schema.ts";
import { foldedWords, searchedTexts } from "../../platform/db/search-words.ts";
import { insertSelected, translateViolations } from "../../platform/db/statements.ts";
import { spellTags, writtenTags } from "../../platform/db/tags.ts";
import { queueEmail } from "../../platform/email/emails.ts";
import { writeOnce } from "../../platform/idempotency/claims.ts";
import { auditedUsers, requireAccount } from "./admin.ts";
import { emailTaken } from "./email-address/email-address.ts";
import { linkInserts, newAccountLink } from "./email-address/link-tokens.ts";
import { requireMayExempt } from "./exemption.ts";
import { contactFields, profileFields, userFields } from "./fields.ts";
import type { AccountRow } from "./schemas.ts";
import { NO_PASSWORD } from "./sign-in/passwords.ts";

/** A customer whom staff add. */
export const CustomerCreate = z
  .strictObject({
    name: profileFields.name.schema,
    email: profileFields.email.schema,
    ...newShape(contactFields),
    tax_exempt_reason: userFields.tax_exempt_reason.schema.default(null),
    tags: userFields.tags.schema.default([]),
    external_id: userFields.external_id.schema.default(null),
    invite: z
      .boolean()
      .default(false)
      .describe("True to send the customer a link to choose a password. It works once, for 72 hours"),
  })
  .meta({ id: "CustomerCreate" });
export type CustomerCreate = z.output<typeof CustomerCreate>;

type AddingContext = WriteContext<UserCaller | ApiKeyCaller>;

/** Counts an invitation against its recipient, so that nobody is flooded. */
const countInvited = ({ env }: Pick<AddingContext, "env">, email: string): Promise<void> =>
  limitAccount({ env }, "recovery", `invitation:${email}`);

/** Statements that send a customer a link to choose the first password. They end earlier links of this kind. */
function invitation(ctx: Pick<AddingContext, "settings" | "author">, userId: number | SQL, email: string): SQL[] {
  const link = newAccountLink("invite_customer", ctx.author.now);
  return [
    ...linkInserts(ctx, { link, userId, email }),
    queueEmail(ctx, { template: "customer_invitation", params: {}, userId, link }),
  ];
}

/** Adds a customer without a password. Nobody can sign in to the account before its owner chooses one by an e-mailed link. */
export async function createCustomer(ctx: AddingContext, { invite, ...sent }: CustomerCreate): Promise<AccountRow> {
  const { db, settings, author } = ctx;
  const { name, email, tax_exempt_reason: taxExemptReason, tags: sentTags, external_id: externalId, ...contact } = sent;
  refuseReservedDomain(settings, email);
  requireMayExempt(author, { before: null, after: taxExemptReason });
  requireFreshForChange(author, { subject: "user", after: { tax_exempt_reason: taxExemptReason } });
  if (invite) await countInvited(ctx, email);
  const tags = sentTags.length > 0 ? await spellTags(db, sentTags) : [];
  const { ahead, stored } = writtenTags("users", tags);
  const fields = { name, email, externalId, taxExemptReason, ...newRow(contactFields, contact, {}) };
  const times = { createdAt: author.now, updatedAt: author.now };
  const words = foldedWords(searchedTexts.users({ name }));
  const id = sql`(SELECT id FROM users WHERE email = ${email})`;
  const writes = [
    ...ahead,
    insertSelected(users, {
      ...fields,
      ...stored,
      foldedWords: words,
      role: "customer",
      passwordHash: NO_PASSWORD,
      ...times,
    }),
    ...(invite ? invitation(ctx, id, email) : []),
    auditEntry(ctx, {
      action: "create",
      subject: "user",
      id,
      after: { ...sent, tags, ...(invite && { invited: true }) },
    }),
  ];
  const answer = sql`(SELECT ${auditedUsers.json} FROM users WHERE email = ${email})`;
  const refusals = { ...emailTaken, "users.external_id": externalIdTaken };
  return requireRow(await translateViolations(writeOnce<AccountRow>(ctx, { writes, answer }), refusals));
}

/** Sends a customer without a password a new link to choose one. */
export async function inviteCustomer(ctx: AddingContext, id: number): Promise<AccountRow> {
  const account = await requireAccount(ctx.db, { id, scope: accountScopeOf(ctx.caller) });
  if (account.hasPassword || account.disabledAt !== null) throw notInvitable();
  await countInvited(ctx, account.email);
  const writes = [...invitation(ctx, id, account.email), auditEntry(ctx, { action: "invite", subject: "user", id })];
  const answer = sql`(SELECT ${auditedUsers.json} FROM users WHERE id = ${id})`;
  return requireRow(await writeOnce<AccountRow>(ctx, { writes, answer }));
}

const notInvitable = () => conflict("not_invitable", "The customer already has a password, or the account is disabled");
