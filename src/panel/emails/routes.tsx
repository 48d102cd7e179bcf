import { type Context, Hono } from "hono";
import * as z from "zod";
import { findUser } from "../../accounts/users/users.ts";
import { ShopUpdate } from "../../back-office/shop/fields.ts";
import { readEmailParams } from "../../checkout/orders/public.ts";
import { badRequest, fieldError, notFound, requireFound } from "../../domain/errors.ts";
import { IdParam } from "../../domain/fields.ts";
import { type Language, languages } from "../../domain/language.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administrators } from "../../platform/auth/gates.ts";
import { readShopTexts, type ShopTexts, sendAgain } from "../../platform/email/emails.ts";
import { mailerOf } from "../../platform/email/mailer.ts";
import { preview, templateNames } from "../../platform/email/render.tsx";
import { mailboxesOf, sendInBackground } from "../../platform/email/send.ts";
import { findSwitch, isOrderEmail, isSwitchable, readSwitchedOff, switchEmail } from "../../platform/email/switches.ts";
import { isTemplate, type TemplateName } from "../../platform/email/templates.ts";
import {
  changeEmailText,
  EmailTextUpdate,
  findEmailText,
  listEmailTexts,
  noTexts,
  readOwnTexts,
  toEmailText,
  writtenTemplates,
} from "../../platform/email/texts.ts";
import { valid, validate } from "../../platform/http/validate.ts";
import type { EmailSettings } from "../../platform/settings/email.ts";
import { redirectWithFlash } from "../flash.ts";
import { submit } from "../forms/attempt.ts";
import { kindsOf } from "../forms/conversion.ts";
import type { Failed } from "../forms/inputs.ts";
import { readImageLines } from "../forms/kinds.ts";
import { readFilters } from "../forms/read-form.ts";
import { type PanelEnv, page } from "../page.tsx";
import { templateLabel } from "../references.ts";
import { designPage, saveDesign } from "./design-page.tsx";
import { emailsPage, TEMPLATES_PATH, TemplatesPage } from "./pages.tsx";
import { type ShownTemplate, TemplatePage, textInputs, views } from "./template-page.tsx";

const ShownQuery = z.strictObject({
  view: z.enum(views).default("desktop"),
  language: z.enum(languages).default("en"),
  order: z.string().trim().max(50).default(""),
});

/** An e-mail in a design that is not saved yet. */
const DesignQuery = ShownQuery.extend({ color: ShopUpdate.shape.color.catch(undefined), logo: z.string().optional() });

const TestForm = ShownQuery.pick({ language: true, order: true });

export const emailPages = new Hono<PanelEnv>()
  .get("/emails", administrators, emailsPage)
  .post("/emails/:id/send", administrators, validate("param", IdParam), async (c) => {
    await sendAgain(writeContextOf(c), c.req.valid("param").id);
    sendInBackground(c);
    return redirectWithFlash(c, "/admin/emails", "The e-mail is being sent again.");
  })
  .get("/emails/design", administrators, (c) => designPage(c, null))
  .post("/emails/design", administrators, saveDesign)
  .get("/emails/templates", administrators, async (c) => {
    const [shop, off, texts] = await Promise.all([
      readSignature(c),
      readSwitchedOff(c.var.db),
      listEmailTexts(c.var.db),
    ]);
    const ownTexts = (name: string) => texts.find(({ template, language }) => template === name && language === "en");
    const templates = await Promise.all(
      templateNames.map(async (name) => {
        const previewed = { language: "en", ownTexts: ownTexts(name) ?? null } as const;
        return { name, ...(await preview(shop, name, previewed)) };
      }),
    );
    return page(c, "Texts of e-mails", <TemplatesPage templates={templates} off={off} />);
  })
  .get("/emails/templates/:name", administrators, (c) => templatePage(c, readFilters(c, ShownQuery).query, null))
  .get("/emails/templates/:name/html", administrators, async (c) => {
    const { color, logo, ...shown } = readFilters(c, DesignQuery).query;
    const design = { ...(color && { color, logo: readImageLines(logo)[0] ?? null }) };
    return c.html((await renderedIn(c, templateIn(c), shown, design)).html);
  })
  .post("/emails/templates/:name/test", administrators, (c) =>
    submit(
      c,
      (failed) => templatePage(c, { ...valid(ShownQuery, {}), ...shownIn(failed) }, failed),
      async (sent) => {
        const [name, shown] = [templateIn(c), shownIn(sent)];
        const to = await sendTest(c, name, shown);
        const back = `${TEMPLATES_PATH}/${name}?${new URLSearchParams(shown)}`;
        return redirectWithFlash(c, back, `A test was sent to ${to}.`);
      },
    ),
  )
  .post("/emails/templates/:name/texts/:language", administrators, (c) => {
    const [template, language] = [writtenIn(c), languageIn(c)];
    return submit(
      c,
      (failed) => templatePage(c, valid(ShownQuery, { language }), failed),
      async (sent) => {
        const { subject, introduction } = sent.read(EmailTextUpdate, kindsOf(textInputs));
        const defaults = toEmailText(template, language, noTexts);
        // The form shows the defaults, which stay defaults unless they are changed.
        const change = {
          subject: subject === defaults.default_subject ? null : subject,
          introduction: introduction === defaults.default_introduction ? null : introduction,
        };
        await changeEmailText(writeContextOf(c), { template, language, change });
        return redirectWithFlash(c, `${TEMPLATES_PATH}/${template}?language=${language}`, "The text was saved.");
      },
    );
  })
  .post("/emails/templates/:name/texts/:language/default", administrators, async (c) => {
    const [template, language] = [writtenIn(c), languageIn(c)];
    const change = { subject: null, introduction: null };
    await changeEmailText(writeContextOf(c), { template, language, change });
    return redirectWithFlash(c, `${TEMPLATES_PATH}/${template}?language=${language}`, "The default text is back.");
  })
  .post("/emails/templates/:name/:turned{on|off}", administrators, async (c) => {
    const { name, turned } = c.req.param();
    if (!isSwitchable(name)) throw notFound("An e-mail that can be switched off");
    await switchEmail(writeContextOf(c), { template: name, off: turned === "off" });
    const words = turned === "off" ? "is switched off" : "is sent again";
    return redirectWithFlash(c, "/admin/emails/templates", `“${templateLabel(name)}” ${words}.`);
  })
  // Resolve the audit log's references to a switch and a text.
  .get("/emails/switches/:id", administrators, validate("param", IdParam), async (c) => {
    const found = await requireFound(findSwitch(c.var.db, c.req.valid("param").id), "This e-mail");
    return c.redirect(`/admin/emails/templates#${found.template}`, 303);
  })
  .get("/emails/texts/:id", administrators, validate("param", IdParam), async (c) => {
    const found = await requireFound(findEmailText(c.var.db, c.req.valid("param").id), "This e-mail");
    return c.redirect(`${TEMPLATES_PATH}/${found.template}?language=${found.language}`, 303);
  });

const shownIn = ({ values }: Pick<Failed, "values">) =>
  valid(TestForm, { language: values.language?.[0], order: values.order?.[0] });

function templateIn(c: Context<PanelEnv>): TemplateName {
  const name = c.req.param("name") ?? "";
  if (!isTemplate(name)) throw notFound("This e-mail");
  return name;
}

function writtenIn(c: Context<PanelEnv>): TemplateName {
  const name = templateIn(c);
  if (!writtenTemplates.includes(name)) throw notFound("This e-mail");
  return name;
}

function languageIn(c: Context<PanelEnv>): Language {
  const language = languages.find((each) => each === c.req.param("language"));
  if (!language) throw notFound("This language");
  return language;
}

type Choice = Omit<ShownTemplate, "name">;

async function templatePage(c: Context<PanelEnv>, choice: Choice, failed: Failed | null) {
  const name = templateIn(c);
  const [rendered, off, own] = await Promise.all([
    renderedIn(c, name, choice),
    readSwitchedOff(c.var.db),
    readOwnTexts(c.var.db, name, choice.language),
  ]);
  const props = { shown: { name, ...choice }, rendered, isOff: off.includes(name), isAboutOrder: isOrderEmail(name) };
  const texts = writtenTemplates.includes(name) ? toEmailText(name, choice.language, own) : null;
  return page(c, rendered.subject, <TemplatePage {...props} texts={texts} failed={failed} />);
}

/** An e-mail in a language, about an order of the shop if its number is given, in the shop's design unless another is given. */
async function renderedIn(
  c: Context<PanelEnv>,
  name: TemplateName,
  { language, order }: Pick<Choice, "language" | "order">,
  design: Partial<Pick<ShopTexts, "color" | "logo">> = {},
) {
  const { db } = c.var;
  const [shop, ownTexts, params] = await Promise.all([
    readSignature(c),
    readOwnTexts(db, name, language),
    order && isOrderEmail(name) ? readEmailParams(db, order) : undefined,
  ]);
  return preview({ ...shop, ...design }, name, { language, ownTexts, ...(params && { params }) });
}

/** Sends a preview to the administrator at once, so that a failure is shown. Returns the address. */
async function sendTest(c: Context<PanelEnv>, name: TemplateName, shown: Pick<Choice, "language" | "order">) {
  const mailer = mailerOf(c.env, c.var.settings.email);
  if ("missing" in mailer)
    throw badRequest(
      fieldError("body", "invalid", `cannot be sent until whoever installed the shop sets ${mailer.missing}`),
    );
  const [rendered, shop, user] = await Promise.all([
    renderedIn(c, name, shown),
    readSignature(c),
    findUser(c.var.db, c.var.caller.id),
  ]);
  if (!user) throw notFound("The account");
  const { email: to } = user;
  await mailer.sender.send({ ...rendered, ...mailboxesOf(mailer.from, shop), key: crypto.randomUUID(), to });
  return to;
}

/** Reads the settings that sign an e-mail sent now. */
async function readSignature(c: Context<PanelEnv>): Promise<EmailSettings & ShopTexts> {
  const { email } = c.var.settings;
  const imageBase = email.imageBase ?? new URL(c.req.url).origin;
  return { ...email, imageBase, ...(await readShopTexts(c.var.db, email)) };
}
