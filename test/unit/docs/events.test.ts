import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { eventTypeNames } from "../../../src/domain/event-types.ts";

it("documents when an event of each type is written, and no other types", () => {
  const rows = readFileSync("docs/events.md", "utf8").match(/^\| `.*?(?= \| )/gm) ?? [];
  const told = rows.flatMap((row) => [...row.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, type]) => type));
  expect(told.toSorted()).toEqual(eventTypeNames.filter((type) => type !== "webhook.test").toSorted());
});
