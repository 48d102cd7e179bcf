import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { emails, emailTexts } from "../../src/platform/db/schema.ts";
import { anAccount } from "../support/accounts.ts";
import { call } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { aMailbox, delivered, MAIL_FROM, scheduledAt, tokenIn } from "../support/emails.ts";
import { anAdministrator, fieldsOf } from "../support/panel.ts";
import { noRules, settleShop } from "../support/pricing.ts";
import { aProduct, aUser, db, orderOf } from "../support/shop.ts";

const anAdmin = shared(() => anAdministrator());

beforeEach(async () => {
  await db.delete(emails);
});

async function aFailedEmail() {
  const { email } = await anAccount();
  await call("POST /auth/forgot-password", { body: { email } });
  await scheduledAt(
    Date.now(),
    aMailbox(() => {
      throw Object.assign(new Error("no"), { code: "E_RECIPIENT_SUPPRESSED" });
    }),
  );
  const row = await db.select().from(emails).where(eq(emails.recipient, email)).get();
  return { email, id: Number(row?.id), key: row?.key };
}

it("shows each e-mail with its state and error, and never its link", async () => {
  const { email } = await aFailedEmail();
  const { html, status } = await (await anAdmin()).get("/admin/emails?state=failed");
  expect(status).toBe(200);
  expect(html).toContain(email.replace("@", "@<wbr/>"));
  expect(html).toContain("E_RECIPIENT_SUPPRESSED");
  expect(html).not.toContain("sfl_");
});

it("says what a deployment lacks to send e-mails", async () => {
  const { html } = await (await anAdmin()).get("/admin/emails");
  expect(html).toContain("E-mails are on hold until whoever installed the shop sets MAIL_FROM");
});

it("sends one again, with another key and the same link, and audits it", async () => {
  const { email, id, key } = await aFailedEmail();
  const administrator = await anAdmin();
  const { status, location } = await administrator.post(`/admin/emails/${id}/send`, {});
  expect([status, location]).toEqual([303, "/admin/emails"]);
  const [sent] = await delivered(email);
  const password = "quite another password";
  const token = tokenIn(sent ?? { text: "" });
  expect((await call("POST /auth/reset-password", { body: { token, password } })).status).toBe(200);
  const row = await db.select().from(emails).where(eq(emails.id, id)).get();
  expect(row?.key).not.toBe(key);
  expect(row).toMatchObject({ state: "sent", reason: null, attempts: 1 });
  expect((await administrator.get("/admin/audit-log")).html).toContain("Sent an e-mail again to");
});

it("does not resend a pending e-mail, or an unknown one", async () => {
  const { email } = await anAccount();
  await call("POST /auth/forgot-password", { body: { email } });
  const before = await db.select().from(emails).where(eq(emails.recipient, email)).get();
  const administrator = await anAdmin();
  await administrator.post(`/admin/emails/${before?.id}/send`, {});
  expect(await db.select().from(emails).where(eq(emails.recipient, email)).get()).toEqual(before);
  expect((await administrator.post("/admin/emails/999999/send", {})).status).toBe(404);
});

it("offers no retry of an expired link", async () => {
  await aFailedEmail();
  const { get } = await anAdmin();
  expect((await get("/admin/emails")).html).toContain("Send again");
  await db.update(emails).set({ expiresAt: 1 });
  expect((await get("/admin/emails")).html).toContain("its link has expired");
});

it("shows e-mails signed with the shop's name", async () => {
  await settleShop({ name: "Lamp & Co" });
  const { html } = await (await anAdmin()).get("/admin/emails/templates/password_changed/html");
  await noRules();
  expect(html).toContain("Lamp &amp; Co");
});

it("previews every e-mail, as text and as HTML without scripts", async () => {
  const { get } = await anAdmin();
  const { html } = await get("/admin/emails/templates");
  const names = [...html.matchAll(/templates\/(\w+)"/g)].map(([, name = ""]) => name);
  expect(names).toContain("password_reset");
  for (const name of names) {
    const shown = await get(`/admin/emails/templates/${name}/html`);
    expect(shown.status).toBe(200);
    expect(shown.html).toContain("Hello Ada Lovelace,");
    expect(shown.html).not.toContain("<script");
    const framed = await get(`/admin/emails/templates/${name}?view=phone`);
    expect(framed.html).toContain(`src="/admin/emails/templates/${name}/html?language=en&amp;view=phone" sandbox`);
    expect((await get(`/admin/emails/templates/${name}?view=text`)).html).toContain("Hello Ada Lovelace,");
  }
  expect((await get("/admin/emails/templates/constructor")).status).toBe(404);
});

it("saves own texts, keeps defaults that were not changed, and goes back to the default", async () => {
  const { get, post } = await anAdmin();
  const path = "/admin/emails/templates/order_confirmation";
  const { html } = await get(`${path}?language=fr`);
  expect(html).toContain('value="Votre commande {order} chez {shop}"');
  expect(html).toContain("{shop}, {order}, {total}");
  const introduction = "Merci pour votre commande.";
  const saved = await post(`${path}/texts/fr`, { subject: "Merci {order} !", introduction });
  expect([saved.status, saved.location]).toEqual([303, `${path}?language=fr`]);
  const [row] = await db.select().from(emailTexts);
  expect(row).toMatchObject({ language: "fr", subject: "Merci {order} !", introduction: null });
  expect((await get(`${path}/html?language=fr`)).html).toContain("Merci #1042 !");
  const refused = await post(`${path}/texts/fr`, { subject: "Merci {nom}", introduction });
  expect(refused.status).toBe(400);
  expect(refused.html).toContain("contains {nom}, which this e-mail does not have");
  await post(`${path}/texts/fr/default`, {});
  expect((await get(`${path}/html?language=fr`)).html).toContain("Votre commande #1042 chez");
  expect((await get("/admin/audit-log")).html).toContain("text of an e-mail");
});

it("previews an e-mail with a real order, and sends it to the administrator as a test", async () => {
  const buyer = await aUser({ wallet: 100_000 });
  const product = await aProduct({ name: "Real lamp" });
  const placed = await call("POST /orders", { as: buyer.token, body: orderOf(product, 1) });
  const { number } = placed.body.data;
  const path = "/admin/emails/templates/order_confirmation";
  const { get } = await anAdmin();
  await db.delete(emails);
  const { html } = await get(`${path}/html?language=de&order=${encodeURIComponent(number)}`);
  expect(html).toContain("1 × Real lamp");
  expect(html).toContain(`Ihre Bestellung ${number} bei`);
  const mailbox = aMailbox();
  const fields = { language: "de", order: number };
  const sent = await (await anAdmin()).post(`${path}/test`, fields, {}, { EMAIL: mailbox.EMAIL, MAIL_FROM });
  expect(sent.status).toBe(303);
  const received = mailbox.delivered.filter(({ to }) => to !== buyer.email);
  expect(received.map(({ subject }) => subject)).toEqual([`Ihre Bestellung ${number} bei Storefront`]);
});

it("previews a design, and saves it only then when asked", async () => {
  const { get, post } = await anAdmin();
  const path = "/admin/emails/design";
  const sent = { ...fieldsOf(await get(path), path), color: "#123456", logo: "https://shop.test/logo.png Our logo" };
  const previewed = await post(path, { ...sent, do: "preview" });
  expect([previewed.status, previewed.html]).toEqual([200, expect.stringContaining("It is not saved yet")]);
  const [, shown = ""] = /<iframe[^>]* src="([^"]+)"/.exec(previewed.html) ?? [];
  const design = new URL(shown.replaceAll("&amp;", "&"), "https://shop.test").search;
  const { html } = await get(`/admin/emails/templates/password_reset/html${design}`);
  for (const words of ["background: #123456", 'src="https://shop.test/logo.png"', 'alt="Our logo"']) {
    expect(html).toContain(words);
  }
  expect(fieldsOf(await get(path), path)).not.toMatchObject({ color: ["#123456"] });
  await post(path, { ...sent, do: "" });
  expect(fieldsOf(await get(path), path)).toMatchObject({ color: ["#123456"] });
});
