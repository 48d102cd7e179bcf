import { type Context, Hono } from "hono";
import * as z from "zod";
import { notFound } from "../../domain/errors.ts";
import { IdParam } from "../../domain/fields.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administrators } from "../../platform/auth/gates.ts";
import { readShopTexts, type ShopTexts, sendAgain } from "../../platform/email/emails.ts";
import { preview, templateNames } from "../../platform/email/render.tsx";
import { sendInBackground } from "../../platform/email/send.ts";
import { findSwitch, isSwitchable, readSwitchedOff, switchEmail } from "../../platform/email/switches.ts";
import { isTemplate } from "../../platform/email/templates.ts";
import { validate } from "../../platform/http/validate.ts";
import type { EmailSettings } from "../../platform/settings/email.ts";
import { redirectWithFlash } from "../flash.ts";
import { readFilters } from "../forms/read-form.ts";
import { type PanelEnv, page } from "../page.tsx";
import { templateLabel } from "../references.ts";
import { emailsPage, TemplatePage, TemplatesPage, views } from "./pages.tsx";

const PreviewQuery = z.strictObject({ view: z.enum(views).default("desktop") });

export const emailPages = new Hono<PanelEnv>()
  .get("/emails", administrators, emailsPage)
  .post("/emails/:id/send", administrators, validate("param", IdParam), async (c) => {
    await sendAgain(writeContextOf(c), c.req.valid("param").id);
    sendInBackground(c);
    return redirectWithFlash(c, "/admin/emails", "The e-mail is being sent again.");
  })
  .get("/emails/templates", administrators, async (c) => {
    const [email, off] = await Promise.all([readSignature(c), readSwitchedOff(c.var.db)]);
    const templates = await Promise.all(
      templateNames.map(async (name) => ({ name, ...(await preview(email, name, "en")) })),
    );
    return page(c, "E-mail templates", <TemplatesPage templates={templates} off={off} />);
  })
  .get("/emails/templates/:name", administrators, async (c) => {
    const { name, ...rendered } = await previewOf(c);
    const isOff = (await readSwitchedOff(c.var.db)).includes(name);
    const { view } = readFilters(c, PreviewQuery).query;
    return page(c, rendered.subject, <TemplatePage template={{ name, ...rendered }} isOff={isOff} view={view} />);
  })
  .get("/emails/templates/:name/html", administrators, async (c) => c.html((await previewOf(c)).html))
  .post("/emails/templates/:name/:turned{on|off}", administrators, async (c) => {
    const { name, turned } = c.req.param();
    if (!isSwitchable(name)) throw notFound("An e-mail that can be switched off");
    await switchEmail(writeContextOf(c), { template: name, off: turned === "off" });
    const words = turned === "off" ? "is switched off" : "is sent again";
    return redirectWithFlash(c, "/admin/emails/templates", `“${templateLabel(name)}” ${words}.`);
  })
  // Resolves the audit log's reference to a switch.
  .get("/emails/switches/:id", administrators, validate("param", IdParam), async (c) => {
    const found = await findSwitch(c.var.db, c.req.valid("param").id);
    if (!found) throw notFound("This e-mail");
    return c.redirect(`/admin/emails/templates#${found.template}`, 303);
  });

async function previewOf(c: Context<PanelEnv>) {
  const name = c.req.param("name") ?? "";
  if (!isTemplate(name)) throw notFound("This e-mail");
  return { name, ...(await preview(await readSignature(c), name, "en")) };
}

/** Reads the settings that sign an e-mail sent now. */
async function readSignature(c: Context<PanelEnv>): Promise<EmailSettings & ShopTexts> {
  const { email } = c.var.settings;
  return { ...email, ...(await readShopTexts(c.var.db, email)) };
}
