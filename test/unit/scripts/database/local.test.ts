import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fileNameOf } from "../../../../scripts/database/local.ts";

// File names that wrangler derives for databases.
const OF_BINDING = "e7352547963de7050bd7d94658afc4fe78b61811b7815da12d90be8e863abf4d.sqlite";
const OF_ID = "4e0d0f9a7805fee815ef15643899f6c80c21e0110baaacc60d6ca5076a8388c2.sqlite";
const id = 'database_id = "8d0c3a0e-0000-4000-8000-000000000001"';

it("prepares the local database that wrangler serves, even once a deployment has written an id", () => {
  const config = readFileSync("wrangler.toml", "utf8");
  const withLines = (...lines: string[]) =>
    config.replace(/^database_name = .*$/m, (name) => [name, ...lines].join("\n"));
  expect(fileNameOf(withLines(`# ${id}`))).toBe(OF_BINDING);
  expect(fileNameOf(withLines(id))).toBe(OF_ID);
  expect(fileNameOf(withLines('database_id = "of production"', `preview_${id}`))).toBe(OF_ID);
});
