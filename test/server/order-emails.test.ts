import { expect } from "vitest";
import { emailOfEvent } from "../../src/domain/event-types.ts";
import { LONG } from "../support/long.ts";
import { it } from "./browser/it.ts";
import { look } from "./browser/look.ts";
import { emailsTo } from "./emails.ts";
import { aShopper, findProduct, orderOf } from "./shopper.ts";

it("sends a buyer e-mails within seconds that are readable in any theme and width", LONG, async ({ shop, aPage }) => {
  const shopper = await aShopper(shop);
  const body = orderOf(await findProduct(shopper.api, "wrist strap"));
  const { data: order } = await shopper.api.POST("/api/v1/user/orders", { body });
  const confirmation = async () =>
    (await emailsTo(shop.base_url, shopper.email)).find(({ subject }) => subject.includes(order.number));
  await expect.poll(confirmation).toBeDefined();
  const email = await confirmation();
  expect(email?.text).toContain("Paid by wallet.");
  const page = await aPage();
  await page.setContent(String(email?.html));
  await look(page, "email-order");
});

it("has no faults in any e-mail about an order", LONG, async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  for (const name of new Set(Object.values(emailOfEvent))) {
    await page.goto(`/admin/emails/templates/${name}/html`);
    await look(page, `email-${name.replaceAll("_", "-")}`);
  }
});

it("switches an e-mail off and on, and marks it in the list of e-mails", async ({ aSignedInPage }) => {
  const page = await aSignedInPage();
  await page.goto("/admin/emails/templates");
  const section = page.locator("#order_expired");
  await section.getByRole("button", { name: "Switch off" }).click();
  await page.getByText("“Order expired” is switched off.").waitFor();
  await page.goto("/admin/emails");
  await page.getByText("Switched off: Order expired.").waitFor();
  await look(page, "emails-switched-off");
  await page.getByRole("link", { name: "Switch on" }).click();
  await section.getByRole("button", { name: "Switch on" }).click();
  await page.getByText("“Order expired” is sent again.").waitFor();
  expect(await page.locator("#password_changed").getByRole("button").count()).toBe(0);
});
