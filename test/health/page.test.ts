import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { call } from "../support/call.ts";
import { scheduledAt } from "../support/emails.ts";
import { anAdministrator } from "../support/panel.ts";
import { aKey, aUser } from "../support/shop.ts";

const run = (query: string, ...values: unknown[]) =>
  env.DB.prepare(query)
    .bind(...values)
    .run();

const healthOf = async (as: string) => (await call("GET /admin/health", { as })).body.data;

it("reports that the schedule has stopped, which no alert can", async () => {
  const { key } = await aKey({ permissions: ["metrics:read"] });
  await run("DELETE FROM schedule_runs");
  expect(await healthOf(key)).toMatchObject({ status: "critical", schedule: { finished_at: null, is_stopped: true } });
  await scheduledAt(Date.now());
  expect(await healthOf(key)).toMatchObject({
    status: "ok",
    summary: "Everything works.",
    running_version: env.VERSION.id,
    versions: [{ version: env.VERSION.id }],
    schedule: { is_stopped: false },
  });
  await run("UPDATE schedule_runs SET finished_at = finished_at - 7 * 60000");
  expect(await healthOf(key)).toMatchObject({
    status: "critical",
    summary: "The schedule stopped 7 minutes ago, so nothing is sent and no unpaid order expires.",
  });
  await scheduledAt(Date.now());
});

it("shows open alerts first, with advice, and their number in the menu", async () => {
  const administrator = await anAdministrator();
  await run(
    "INSERT INTO alerts (kind, about, summary, created_at) VALUES ('queue_stuck', 'refunds', '12 refunds wait, the oldest for 45 minutes.', ?)",
    Date.now(),
  );
  const { html } = await administrator.get("/admin/health");
  for (const text of [
    "Stuck queue: Refunds to send",
    "12 refunds wait",
    "Check the payment provider",
    "/admin/payments",
  ])
    expect(html).toContain(text);
  expect(await healthOf((await aUser({ role: "viewer" })).token)).toMatchObject({
    status: "critical",
    alerts: [{ kind: "queue_stuck", about: "refunds", is_urgent: true, title: "Stuck queue: Refunds to send" }],
  });
  await run("DELETE FROM alerts");
});

it("saves the recipient and the rate of alerts, and keeps invalid input", async () => {
  const administrator = await anAdministrator();
  const saved = await administrator.post("/admin/health", { alert_email: "ops@shop.test", alert_error_percent: "2" });
  expect(saved.status).toBe(303);
  const { token } = await aUser({ role: "admin" });
  const shop = (await call("GET /admin/shop", { as: token })).body.data;
  expect(shop).toMatchObject({ alert_email: "ops@shop.test", alert_error_percent: 2 });
  const refused = await administrator.post("/admin/health", { alert_email: "ops", alert_error_percent: "200" });
  expect(refused.status).toBe(400);
  expect(refused.html).toContain('value="200"');
});
