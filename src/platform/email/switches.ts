import { asc, eq, ne, type SQL, sql } from "drizzle-orm";
import { emailOfEvent, type OrderEmail } from "../../domain/event-types.ts";
import { auditStates } from "../audit/audit.ts";
import type { AuthorContext } from "../auth/caller.ts";
import { type Database, runAll } from "../db/client.ts";
import { emailSwitches, emails } from "../db/schema.ts";
import { insertSelected } from "../db/statements.ts";
import type { Params, TemplateName } from "./templates.ts";

/** A new key for an e-mail queued by the database. */
export const newKey: SQL = sql`lower(hex(randomblob(16)))`;

/** The statement that queues an e-mail to each administrator. */
export const queueForAdministrators = <Name extends StaffEmail | "payment_account_changed">(
  template: Name,
  params: Params<Name>,
  now: number,
): SQL => queueStaffEmails(template, ["admin"], sql`SELECT ${JSON.stringify(params)} AS params`, now);

/** The statement that queues an e-mail to an address that administrators chose for it. */
export const queueForAddress = <Name extends StaffEmail>(
  template: Name,
  params: Params<Name>,
  { recipient, now }: { recipient: string; now: number },
): SQL =>
  insertSelected(
    emails,
    { key: newKey, template, recipient, params, dueAt: now, createdAt: now },
    sql`WHERE ${isSwitchedOn(sql`${template}`)}`,
  );

/**
 * The statement that queues an e-mail to each member of staff with these roles, for each row of `source`, whose `params` are
 * the template's. The template may be a column of it. `chosen` is a condition on `users` and `source`.
 */
export const queueStaffEmails = (
  template: TemplateName | SQL,
  roles: readonly string[],
  source: SQL,
  now: number,
  chosen = sql`TRUE`,
): SQL => sql`
  INSERT INTO emails (key, template, user_id, recipient, params, due_at, created_at)
  SELECT ${newKey}, ${template}, users.id, users.email, source.params, ${now}, ${now}
  FROM (${source}) AS source CROSS JOIN users
  WHERE role IN (SELECT value FROM json_each(${JSON.stringify(roles)})) AND email_verified_at IS NOT NULL
    AND disabled_at IS NULL AND ${isSwitchedOn(sql`${template}`)} AND ${chosen}`;

/** True if the template's e-mail is switched on; the template is SQL. */
export const isSwitchedOn = (template: SQL): SQL =>
  sql`${template} NOT IN (SELECT template FROM email_switches WHERE off)`;

/** Names of templates that are switched off. */
export async function readSwitchedOff(db: Database): Promise<string[]> {
  const off = db.select().from(emailSwitches).where(eq(emailSwitches.off, true));
  return (await off.orderBy(asc(emailSwitches.id))).map(({ template }) => template);
}

/** The template of a switch in the audit log. */
export const findSwitch = (db: Database, id: number) =>
  db.select().from(emailSwitches).where(eq(emailSwitches.id, id)).get();

/** Switches an e-mail off or on. Queued e-mails are still sent. */
export function switchEmail(
  ctx: AuthorContext,
  { template, off }: { template: SwitchableEmail; off: boolean },
): Promise<void> {
  const action = off ? "switch_off" : "switch_on";
  const id = sql`(SELECT ${emailSwitches.id} FROM ${emailSwitches} WHERE ${eq(emailSwitches.template, template)})`;
  const target = emailSwitches.template;
  const written = ctx.db.insert(emailSwitches).values({ template, off });
  return runAll(ctx.db, [
    written.onConflictDoUpdate({ target, set: { off }, setWhere: ne(emailSwitches.off, off) }).getSQL(),
    auditStates(ctx, { action, subject: "email_switch", id, from: sql`WHERE changes() > 0` }),
  ]);
}

const orderEmails: readonly TemplateName[] = Object.values(emailOfEvent);

export const isOrderEmail = (name: string): name is OrderEmail => orderEmails.some((template) => template === name);

/** E-mails to staff about the shop. */
const staffEmails = [
  "health_alert",
  "staff_notifications",
  "low_stock",
  "api_key_expiring",
  "api_key_unused",
  "operation_deprecated",
  "webhook_paused",
] as const satisfies TemplateName[];

type StaffEmail = (typeof staffEmails)[number];
type SwitchableEmail = OrderEmail | StaffEmail;

/** True if administrators may switch it off. E-mails that protect an account are always sent. */
export const isSwitchable = (name: string): name is SwitchableEmail =>
  isOrderEmail(name) || staffEmails.some((email) => email === name);
