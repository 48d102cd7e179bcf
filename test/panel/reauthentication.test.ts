import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { beginSession, signPanelToken } from "../../src/panel/session/token.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { anAccount, PASSWORD } from "../support/accounts.ts";
import { aVisitor, fieldsOf } from "../support/panel.ts";
import { db, settings } from "../support/shop.ts";
import { codeOf, giveFactor, SECRET } from "../support/two-factor.ts";

const KEYS = "/admin/api-keys";
const KEY = { name: "Kept name", permissions: ["products:read", "carts:write"], tier: "premium" };

/** A session of the panel that last asked for the password this long ago. */
async function anAdministratorSince(minutes: number) {
  const account = await anAccount({ role: "admin" });
  const then = Date.now() - minutes * 60_000;
  const session = beginSession({ userId: account.id, sessionId: account.sessionId, authenticatedAt: then }, then);
  const { token } = await signPanelToken(settings, session);
  return { ...account, ...aVisitor({ "__Host-panel": token }) };
}

const keysNamed = (name: string) => db.select().from(tables.apiKeys).where(eq(tables.apiKeys.name, name));

describe("a form for a sensitive action", () => {
  it("waits on a page that asks for the password, is shown again with all typed values, and then done", async () => {
    const { post } = await anAdministratorSince(11);
    const name = "Kept by the password";
    const asked = await post(KEYS, { ...KEY, name });
    expect(asked.status).toBe(403);
    expect(asked.html).toContain("Confirm your identity");
    const wrong = await post(KEYS, { ...fieldsOf(asked, KEYS), current_password: "wrong" });
    expect(wrong.status).toBe(400);
    const back = await post(KEYS, { ...fieldsOf(wrong, KEYS), current_password: PASSWORD });
    expect(back.status).toBe(200);
    expect(fieldsOf(back, KEYS)).toMatchObject({ name: [name], permissions: KEY.permissions, tier: [KEY.tier] });
    expect(await keysNamed(name)).toEqual([]);
    expect((await post(KEYS, fieldsOf(back, KEYS))).html).toContain("API key created");
    expect(await keysNamed(name)).toHaveLength(1);
  });

  it("waits for a code as well", async () => {
    const { post, id } = await anAdministratorSince(11);
    await giveFactor(id);
    const name = "Kept by a code";
    const asked = await post(KEYS, { ...KEY, name });
    expect(asked.html).toContain("Or a code");
    const back = await post(KEYS, { ...fieldsOf(asked, KEYS), code: codeOf(SECRET) });
    expect((await post(KEYS, fieldsOf(back, KEYS))).html).toContain("API key created");
  });

  it("is done at once while the password is fresh", async () => {
    const { post } = await anAdministratorSince(9);
    expect((await post(KEYS, KEY)).html).toContain("API key created");
  });

  it("never shows a password that was typed into it", async () => {
    const { post } = await anAdministratorSince(11);
    const { id } = await anAccount();
    const seen = JSON.stringify({});
    const asked = await post(`/admin/customers/${id}`, { password: "typed by an administrator", seen });
    expect(asked.html).not.toContain("typed by an administrator");
  });
});

it.each([
  ["/admin/emails/templates/order_confirmation/texts/en", { introduction: "Pay to account 1" }],
  ["/admin/emails/design", { reply_to: "elsewhere@shop.test" }],
])("keeps the form %s until the password was entered", async (path, more) => {
  const { get, post } = await anAdministratorSince(11);
  const page = path.replace("/texts/en", "");
  const asked = await post(path, { ...fieldsOf(await get(page), path), ...more });
  expect([asked.status, asked.html.includes("Confirm your identity")]).toEqual([403, true]);
  const back = await post(path, { ...fieldsOf(asked, path), current_password: PASSWORD });
  expect(fieldsOf(back, path)).toMatchObject(
    Object.fromEntries(Object.entries(more).map(([name, value]) => [name, [value]])),
  );
  expect((await post(path, fieldsOf(back, path))).status).toBe(303);
});

describe("a download of personal data", () => {
  const DOWNLOADS = "/admin/downloads";

  it("waits on a page that asks for the password, starts then, and leads back to its link", async () => {
    const { get, post } = await anAdministratorSince(11);
    const file = "/admin/exports/customers/csv?state=active";
    const asked = await get(file);
    expect([asked.status, asked.headers.get("Content-Disposition")]).toEqual([403, null]);
    expect(asked.html).toContain("Confirm your identity");
    const wrong = await post(DOWNLOADS, { ...fieldsOf(asked, DOWNLOADS), current_password: "wrong" });
    expect(wrong.status).toBe(400);
    const begun = await post(DOWNLOADS, { ...fieldsOf(wrong, DOWNLOADS), current_password: PASSWORD });
    expect([begun.status, begun.headers.get("Refresh")]).toEqual([200, `0; url=${file}`]);
    expect((await get(file)).headers.get("Content-Disposition")).toContain("customers.csv");
  });

  it("never leads to another site", async () => {
    const { post } = await anAdministratorSince(1);
    const kept_form = JSON.stringify({ file: ["https://elsewhere.example/"], page: ["//elsewhere.example"] });
    const answer = await post(DOWNLOADS, { kept_form, reauthenticates: "true", current_password: PASSWORD });
    expect([answer.status, answer.location]).toEqual([303, "/admin"]);
  });

  it("is asked for before data about one customer, and not before products", async () => {
    const { get } = await anAdministratorSince(11);
    const { id } = await anAccount();
    expect((await get(`/admin/customers/${id}/export`)).html).toContain("Confirm your identity");
    expect((await get("/admin/exports/products/csv")).status).toBe(200);
  });
});
