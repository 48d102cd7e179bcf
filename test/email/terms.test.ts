import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { everyMinute } from "../../src/scheduled.ts";
import { aSendingShop } from "../support/emails.ts";
import { asAdministrator } from "../support/settings.ts";
import { aKey, aProduct, onPurpose, orderOf } from "../support/shop.ts";

const { bindings, call, received } = aSendingShop();

async function write(page: string, text: string): Promise<number> {
  const body = { title: `About ${page}`, text };
  const answer = await call(`PUT /admin/pages/${page}`, { as: await asAdministrator(), body });
  expect(answer.status).toBe(200);
  return answer.body.data.version;
}

it("confirms an order with the terms that it accepted and the instructions on withdrawal in its language", async () => {
  const version = await write("terms/en", "## Delivery\nWithin **three** days.");
  await write("terms/de", "Innerhalb von drei Tagen.");
  await write("withdrawal/en", "You have 14 days.");
  await write("withdrawal/de", "Sie haben 14 Tage.");
  await write("privacy/en", "We keep little.");
  const [{ key }, product] = [await aKey(), await aProduct()];
  const place = async (more: object, language: string) => {
    const customer = { email: `${crypto.randomUUID()}@shop.test`, name: "Jo" };
    const body = orderOf(product, 1, { payment_method: "paypal", customer, ...more });
    const headers = { ...onPurpose(), "Accept-Language": language };
    const { body: placed } = await call("POST /orders", { as: key, body, headers });
    return { ...customer, id: placed.data.id };
  };
  const german = await place({ accepted_terms: version }, "de");
  const [confirmation] = received(german.email);
  expect(confirmation?.text).toMatch(
    /\n\nAbout terms\/en\n\n## Delivery\nWithin \*\*three\*\* days\.\n\nAbout withdrawal\/de\n\nSie haben 14 Tage\.\n\n-- /,
  );
  expect(confirmation?.html).toContain("Within <strong>three</strong> days.");
  expect(confirmation?.html).not.toContain("We keep little.");
  const english = await place({}, "en");
  expect(received(english.email)[0]?.text).toContain("About withdrawal/en\n\nYou have 14 days.");

  const as = await asAdministrator();
  await call(`PUT /admin/orders/${german.id}`, { as, body: { payment_status: "paid" } });
  await everyMinute({ ...env, ...bindings }, Date.now());
  const [paid] = received(german.email);
  expect(paid?.subject).toContain("Zahlung");
  expect(paid?.text).not.toContain("Sie haben 14 Tage.");
});
