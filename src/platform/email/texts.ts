import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { badRequest, fieldError } from "../../domain/errors.ts";
import { changesSomething, line, Text } from "../../domain/fields.ts";
import { type Language, languages } from "../../domain/language.ts";
import { auditEntry, difference } from "../audit/audit.ts";
import { type AuthorContext, requireFresh } from "../auth/caller.ts";
import { type Database, runAll } from "../db/client.ts";
import { emailTexts } from "../db/schema.ts";
import { isSame } from "../db/statements.ts";
import { translated, variablesIn, writerIn } from "./messages.ts";
import { isTemplate, type TemplateName, templates } from "./templates.ts";

const MAX_INTRODUCTION = 2_000;

/** Own texts of an e-mail in a language. Null for ours. */
export type OwnTexts = { subject: string | null; introduction: string | null };

export const noTexts: OwnTexts = { subject: null, introduction: null };

export const EmailTextUpdate = z
  .strictObject({
    subject: line(200).nullable().describe("Subject of the e-mail. Null for the default"),
    introduction: Text.trim()
      .min(1, "must not be empty")
      .max(MAX_INTRODUCTION)
      .nullable()
      .describe("Text before the facts of the e-mail. Null for the default"),
  })
  .partial()
  .refine(...changesSomething)
  .meta({ id: "EmailTextUpdate" });
type EmailTextUpdate = z.output<typeof EmailTextUpdate>;

export const EmailText = z
  .object({
    template: z.string(),
    language: z.enum(languages),
    subject: z.string().nullable(),
    introduction: z.string().nullable(),
    default_subject: z.string(),
    default_introduction: z.string(),
    variables: z.array(z.string()).describe("Names that the texts may contain in braces, such as `{order}`"),
  })
  .meta({ id: "EmailText" });

/** The default texts of an e-mail to buyers, with the variables they may contain. Null for e-mails to staff. */
function defaultsOf(template: TemplateName) {
  const letter = { ...writerIn("en"), shop: "", name: null, contact: "" };
  const none = () => null;
  const noPages = { orderUrl: none, invoicesUrl: none, withdrawalUrl: none, panelUrl: none, imageUrl: none };
  const content = templates[template].write({ ...letter, ...noPages }, templates[template].sample);
  if (!("introduction" in content)) return null;
  return { ...content, variables: ["shop", ...Object.keys(content.variables ?? {})] };
}

/** Names of the e-mails whose texts the shop may write. */
export const writtenTemplates = Object.keys(templates).filter(
  (name): name is TemplateName => isTemplate(name) && defaultsOf(name) !== null,
);

const isTextOf = (template: string, language: Language): SQL | undefined =>
  and(eq(emailTexts.template, template), eq(emailTexts.language, language));

export const readOwnTexts = async (db: Database, template: string, language: Language): Promise<OwnTexts> =>
  (await db.select(textColumns).from(emailTexts).where(isTextOf(template, language)).get()) ?? noTexts;

const { subject, introduction } = getTableColumns(emailTexts);
const textColumns = { subject, introduction };

/** The texts of an e-mail in a language, with the defaults. */
export function toEmailText(template: TemplateName, language: Language, own: OwnTexts): z.output<typeof EmailText> {
  const defaults = defaultsOf(template);
  if (!defaults) throw new Error(`${template} has no texts`);
  return {
    template,
    language,
    ...own,
    default_subject: translated(defaults.subject, language),
    default_introduction: translated(defaults.introduction, language),
    variables: defaults.variables,
  };
}

/** All texts, in the order of their e-mails. */
export async function listEmailTexts(db: Database): Promise<z.output<typeof EmailText>[]> {
  const saved = await db.select().from(emailTexts);
  return writtenTemplates.flatMap((template) =>
    languages.map((language) => {
      const own = saved.find((row) => row.template === template && row.language === language);
      return toEmailText(template, language, own ? { subject: own.subject, introduction: own.introduction } : noTexts);
    }),
  );
}

type ChangedText = { template: TemplateName; language: Language; change: EmailTextUpdate };

/** Changes the texts of an e-mail in a language. Refuses a variable that the e-mail does not have. */
export async function changeEmailText(
  ctx: AuthorContext,
  { template, language, change }: ChangedText,
): Promise<OwnTexts> {
  refuseUnknownVariables(template, change);
  const before = await readOwnTexts(ctx.db, template, language);
  const { subject = before.subject, introduction = before.introduction } = change;
  const after = { subject, introduction };
  if (isSame(before, after)) return before;
  const { now } = ctx.author;
  const target = [emailTexts.template, emailTexts.language];
  const row = { template, language, ...after, createdAt: now, updatedAt: now };
  const id = sql`(SELECT id FROM ${emailTexts} WHERE ${isTextOf(template, language)})`;
  const changes = difference(before, after);
  // A text may name an account to pay to. Null is the default.
  if (Object.values(changes.after).some((text) => text !== null)) requireFresh(ctx.author);
  await runAll(ctx.db, [
    ctx.db
      .insert(emailTexts)
      .values(row)
      .onConflictDoUpdate({ target, set: { ...after, updatedAt: now } })
      .getSQL(),
    auditEntry(ctx, { action: "update", subject: "email_text", id, ...changes }),
  ]);
  return after;
}

function refuseUnknownVariables(template: TemplateName, change: EmailTextUpdate): void {
  const known = defaultsOf(template)?.variables ?? [];
  const errors = Object.entries(change).flatMap(([field, text]) =>
    variablesIn(text ?? "")
      .filter((name) => !known.includes(name))
      .map((name) => {
        const words = `contains {${name}}, which this e-mail does not have. It has ${known.map((each) => `{${each}}`).join(", ")}`;
        return fieldError(field, "invalid", words);
      }),
  );
  if (errors.length > 0) throw badRequest(errors);
}

/** The row of a text, for the audit log. */
export const findEmailText = (db: Database, id: number) =>
  db.select().from(emailTexts).where(eq(emailTexts.id, id)).get();
