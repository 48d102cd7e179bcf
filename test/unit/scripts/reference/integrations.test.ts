import { globSync, readFileSync } from "node:fs";
import { html } from "hono/html";
import { expect, it } from "vitest";
import { integrations } from "../../../../scripts/reference/integrations.ts";

it("shows every program of the integrations", async () => {
  const page = String(await integrations.body);
  const programs = globSync("examples/integrations/*/*.*");
  expect(programs.length).toBe(17);
  const isShown = (path: string) => page.includes(String(html`${readFileSync(path, "utf8")}`));
  expect(programs.filter((path) => !isShown(path))).toEqual([]);
  expect(page).not.toContain("Program:");
});
