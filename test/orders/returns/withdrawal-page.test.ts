import { exports } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { returns } from "../../../src/platform/db/schema.ts";
import { anAddress, ORIGIN } from "../../support/call.ts";
import { placeOrder } from "../../support/orders.ts";
import { noRules, settleShop } from "../../support/pricing.ts";
import { db } from "../../support/shop.ts";

const PATH = "/account/withdraw";

beforeEach(async () => {
  await noRules();
  await settleShop({ homeCountry: "DE" });
});

const from = { "CF-Connecting-IP": anAddress(), Origin: ORIGIN };
const get = (path: string) => exports.default.fetch(new Request(ORIGIN + path, { headers: from }));
const post = (fields: Record<string, string>, address = from["CF-Connecting-IP"]) =>
  exports.default.fetch(
    new Request(ORIGIN + PATH, {
      method: "POST",
      headers: { ...from, "CF-Connecting-IP": address },
      body: new URLSearchParams(fields),
      redirect: "manual",
    }),
  );

async function anOrder() {
  const { id, number, item, user } = await placeOrder({ quantity: 2 });
  return { id, number, email: user.email, line: item };
}

const returnsOf = (id: number) => db.$count(returns, eq(returns.orderId, id));

it("withdraws in two steps without script, and records nothing before the second", async () => {
  const { id, number, email } = await anOrder();
  const opened = await (await get(`${PATH}?order=${encodeURIComponent(number)}`)).text();
  expect(opened).toContain("<h1>Withdraw from contract here</h1>");
  expect(opened).toContain(`value="${number}"`);
  const declaration = { name: "Ada <b>", email, order: number, description: "", token: "" };
  const review = await (await post(declaration)).text();
  expect(review).toMatch(/<button[^>]*>Confirm withdrawal<\/button>/);
  expect(review).toContain("Ada &lt;b&gt;");
  expect(await returnsOf(id)).toBe(0);
  const done = await post({ ...declaration, confirmed: "true" });
  expect([done.status, done.headers.get("Location")]).toEqual([303, `${PATH}/received`]);
  expect(await returnsOf(id)).toBe(1);
});

it("withdraws once from some units, however often its button is clicked or the page reloaded", async () => {
  const { id, number, email, line } = await anOrder();
  const declaration = { name: "Ada", email, order: number, [`quantity-${line}`]: "1" };
  const fieldsOf = async () => {
    const inputs = [...(await (await post(declaration)).text()).matchAll(/name="([^"]+)" value="([^"]*)"/g)];
    return Object.fromEntries(inputs.map(([, name = "", value = ""]) => [name, value.replace("&#39;", "'")]));
  };
  const fields = await fieldsOf();
  expect(fields).toMatchObject({ confirmed: "true", [`quantity-${line}`]: "1" });
  const answers = [...(await Promise.all([post(fields), post(fields)])), await post(fields)];
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect(await returnsOf(id)).toBe(1);
  await post(await fieldsOf());
  expect(await returnsOf(id)).toBe(2);
});

it("shows a stranger with a wrong order or another's address what it shows the buyer", async () => {
  const [{ number, email }, other] = [await anOrder(), await anOrder()];
  const pages = [];
  for (const fields of [
    { email, order: number },
    { email, order: "#9999999" },
    { email: other.email, order: number },
  ]) {
    const declaration = { name: "Ada", ...fields };
    const review = (await (await post(declaration)).text()).replaceAll(fields.email, "E").replaceAll(fields.order, "O");
    const { status, headers } = await post({ ...declaration, confirmed: "true" });
    pages.push(
      JSON.stringify([
        review.replaceAll(/request <code>.*?<\/code>|name="once" value="[^"]*"/g, ""),
        status,
        headers.get("Location"),
      ]),
    );
  }
  expect(new Set(pages).size).toBe(1);
});

it("shows what is missing, and keeps what was typed", async () => {
  const answer = await post({ name: "Ada", email: "nothing", order: "" });
  const html = await answer.text();
  expect(answer.status).toBe(400);
  expect(html).toContain('value="Ada"');
  expect(html).not.toContain("Confirm withdrawal</button>");
});

it("can be confirmed twenty times an hour for an e-mail address", async () => {
  const confirmed = { name: "Ada", email: "often@page.test", order: "#9999999", confirmed: "true" };
  const statuses = [];
  for (let n = 0; n < 21; n++) statuses.push((await post(confirmed, anAddress())).status);
  expect([new Set(statuses.slice(0, 20)), statuses[20]]).toEqual([new Set([303]), 429]);
});

it("is not there if the shop does not offer it", async () => {
  await settleShop({ homeCountry: "DE", withdrawalDays: 0 });
  expect((await get(PATH)).status).toBe(404);
});

it("speaks the visitor's language, or else the shop's, with the labels of its law", async () => {
  const { number, email } = await anOrder();
  const labels = {
    de: ["Vertrag widerrufen", "Widerruf bestätigen"],
    fr: ["Renoncer au contrat ici", "Confirmer la rétractation"],
    es: ["Desistir del contrato aquí", "Confirmar desistimiento"],
  };
  for (const [language, [first, second]] of Object.entries(labels)) {
    const headers = { ...from, "Accept-Language": language };
    const opened = await (await exports.default.fetch(new Request(ORIGIN + PATH, { headers }))).text();
    expect(opened).toContain(`<html lang="${language}">`);
    expect(opened).toContain(`<h1>${first}</h1>`);
    const body = new URLSearchParams({ name: "Ada", email, order: number });
    const review = await exports.default.fetch(new Request(ORIGIN + PATH, { method: "POST", headers, body }));
    expect(await review.text()).toContain(`${second}</button>`);
  }
  await settleShop({ language: "de" });
  expect(await (await get(PATH)).text()).toContain("<h1>Vertrag widerrufen</h1>");
  await settleShop({ language: "en" });
  expect(await (await get(PATH)).text()).toContain("<h1>Withdraw from contract here</h1>");
});
