import { expect, it } from "vitest";
import { administration } from "../support/administration.ts";
import { encoded } from "../support/encoded.ts";
import { aCheckedImport, failuresOf, runJob } from "../support/jobs.ts";

const { ask } = administration();

const fileOf = (...names: string[]) =>
  `sku;name;type;price\r\n${names.map((name, at) => `ENC-${at};${name};physical;12,50\r\n`).join("")}`;

it("previews a guess with examples before the start, and reads the file in another encoding if chosen", async () => {
  const names = ["Футболка белая", "Чашка большая", "Куртка", "Кружка"];
  const checked = await aCheckedImport(encoded(fileOf(...names), "windows-1251"));
  expect(checked).toMatchObject({
    ...{ state: "ready", encoding: "windows-1251", encoding_guessed: true, failed: 0 },
    encoding_examples: names.slice(0, 3),
  });
  const { body } = await ask(`POST /admin/imports/products/${checked.id}/check`, { encoding: "windows-1252" });
  await runJob(body.data.check_job_id);
  const changed = (await ask(`GET /admin/imports/products/${checked.id}`)).body.data;
  expect(changed).toMatchObject({
    encoding: "windows-1252",
    encoding_guessed: false,
    samples: [{ name: "Ôóòáîëêà áåëàÿ" }, {}, {}, {}],
  });
});

it.each(["utf-8", "utf-16le", "utf-16be"])("does not guess if a file declares its encoding: %s", async (encoding) => {
  const checked = await aCheckedImport(encoded(fileOf("Größe XL"), encoding));
  expect(checked).toMatchObject({
    encoding,
    encoding_guessed: false,
    encoding_examples: [],
    samples: [{ name: "Größe XL" }],
  });
});

it("fails only the rows with bad bytes in a file that is otherwise UTF-8", async () => {
  const [good, bad] = [encoded(fileOf("Größe XL"), "utf-8"), encoded("BAD-1;café;physical;3\r\n", "windows-1252")];
  const checked = await aCheckedImport(new Uint8Array([...good, ...bad]));
  expect(checked).toMatchObject({
    encoding: "utf-8",
    rows: 2,
    to_create: 1,
    failed: 1,
    samples: [{ name: "Größe XL" }],
  });
  expect(await failuresOf(checked.check_job_id)).toMatchObject([{ line: 3, sku: "BAD-1", code: "invalid_encoding" }]);
});
