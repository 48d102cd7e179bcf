import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { emailOfEvent, eventTypeNames } from "../../../../src/domain/event-types.ts";
import { templates } from "../../../../src/platform/email/templates.ts";

/** Code that sends e-mails. The frame, the panel and the templates themselves name templates without sending them. */
const senders = globSync("src/**/*.{ts,tsx}").filter(
  (path) =>
    path.endsWith("staff-notifications.ts") || !/^src\/(client|panel|platform\/email)\/|emails(\/|\.ts$)/.test(path),
);

it("sends an e-mail of every template", () => {
  const code = senders.map((file) => readFileSync(file, "utf8")).join("\n");
  expect(senders.length).toBeGreaterThan(400);
  const sent = new Set([
    ...Object.values(emailOfEvent),
    // The e-mails about API keys are named after their events.
    ...eventTypeNames.filter((type) => type.startsWith("api_key.")).map((type) => type.replace(".", "_")),
  ]);
  const isSent = (name: string) => sent.has(name) || code.includes(`"${name}"`);
  expect(Object.keys(templates).filter((name) => !isSent(name))).toEqual([]);
});
