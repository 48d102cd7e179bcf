import { expect, onTestFinished } from "vitest";
import { listen } from "../../../scripts/listen.ts";
import { LONG } from "../../support/long.ts";
import { it } from "../browser/it.ts";
import { DIALOG, look } from "../browser/look.ts";

/** A receiver on this machine that can be made to fail. */
async function aReceiver() {
  const received: string[] = [];
  const receiver = { status: 200, received, url: "" };
  const { url, close } = await listen((request, response) => {
    received.push(String(request.headers["webhook-id"]));
    response.writeHead(receiver.status).end(receiver.status === 200 ? "Thank you" : "Out of order");
  });
  onTestFinished(close);
  receiver.url = `${url}/webhooks`;
  return receiver;
}

it("shows an administrator successful and failed deliveries, and retries them", LONG, async ({ aSignedInPage }) => {
  const [page, receiver] = [await aSignedInPage(), await aReceiver()];
  await page.goto("/admin/webhooks");
  await page.getByRole("link", { name: "New webhook" }).click();
  await page.getByLabel("Address").fill("http://10.0.0.1/");
  await page.getByRole("button", { name: "Create webhook" }).click();
  await page.getByRole("alert").getByText("must begin with https://").waitFor();
  await page.getByLabel("Address").fill(receiver.url);
  await page.getByLabel("Description").fill("Warehouse");
  await page.getByLabel("All order events").check();
  expect(await page.getByLabel("order.paid").isChecked()).toBe(true);
  await page.getByLabel("order.paid").uncheck();
  expect(await page.getByLabel("All order events").isChecked()).toBe(false);
  expect(await page.getByLabel("order.shipped").isChecked()).toBe(true);
  await page.getByLabel("All order events").check();
  await page.getByLabel("All order events").uncheck();
  expect(await page.getByLabel("order.shipped").isChecked()).toBe(false);
  // An event type that no other test of this shop causes.
  await page.getByLabel("refund.failed").check();
  await page.getByRole("button", { name: "Create webhook" }).click();
  await page.getByRole("heading", { name: "Webhook created" }).waitFor();
  expect(await page.getByLabel("Secret").inputValue()).toMatch(/^whsec_/);
  await look(page, "webhook-secret");
  await page.getByRole("link", { name: "I have copied it" }).click();

  await page.getByRole("button", { name: "Send a test event" }).click();
  const deliveries = page.getByRole("table", { name: "Deliveries" });
  await deliveries.getByText("succeeded").waitFor();
  receiver.status = 500;
  await page.getByRole("button", { name: "Send a test event" }).click();
  await deliveries.getByText("Next attempt").waitFor();
  await look(page, "webhook");
  await page.getByRole("link", { name: "Webhooks", exact: true }).first().click();
  const listed = page.getByRole("row", { name: receiver.url });
  await listed.getByText("failing", { exact: true }).waitFor();
  await listed.getByText("Answered 500").waitFor();
  await listed.getByText("1 event waits").waitFor();
  await look(page, "webhooks-failing");
  await listed.getByRole("link").click();
  await deliveries.getByRole("row", { name: "Answered 500" }).getByRole("link", { name: "webhook.test" }).click();
  await page.getByText('"type": "webhook.test"').waitFor();
  await page.getByText(/webhook-timestamp: \d+/).waitFor();
  await page.getByText("Out of order").first().waitFor();
  await look(page, "webhook-delivery");
  await page.goBack();

  receiver.status = 200;
  await deliveries.getByRole("button", { name: "Send now" }).click();
  await deliveries.getByText("Next attempt").waitFor({ state: "detached" });
  await expect.poll(() => deliveries.getByText("succeeded").count()).toBe(2);
  expect(new Set(receiver.received).size).toBe(2);
  expect(receiver.received.length).toBeGreaterThanOrEqual(3);

  await page.getByRole("button", { name: "Replay" }).first().click();
  await look(page, "webhook-replay", { within: DIALOG });
  await page.getByRole("button", { name: "Not now" }).locator("visible=true").click();
  await page.goto("/admin/webhooks");
  await page.getByRole("link", { name: receiver.url }).waitFor();
  await look(page, "webhooks");
});
