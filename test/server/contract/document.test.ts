import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDocument } from "../../../scripts/openapi/build.ts";
import { LONG } from "../../support/long.ts";

const run = promisify(execFile);

let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "contract-"));
  for (const name of ["src", "scripts", "public", "package.json", "tsconfig.json"]) {
    await cp(name, join(copy, name), { recursive: true });
  }
  await symlink(join(process.cwd(), "node_modules"), join(copy, "node_modules"));
});

afterAll(() => rm(copy, { recursive: true }));

/** Output of a complete check of the copied document, which takes seconds. Null if the check finds nothing. */
const complaint = () =>
  run("node", ["scripts/openapi.ts", "--check"], { cwd: copy }).then(
    () => null,
    ({ stderr }: { stderr: string }) => stderr,
  );

type Change = [file: string, before: string, after: string];

/** Runs `act` while these changes are in the copy. */
async function edited<T>(changes: Change[], act: () => Promise<T>): Promise<T> {
  const texts = new Map<string, string>();
  for (const [file, before, after] of changes) {
    const path = join(copy, file);
    const text = await readFile(path, "utf8");
    expect(text).toContain(before);
    texts.set(path, texts.get(path) ?? text);
    await writeFile(path, text.replace(before, after));
  }
  const result = await act();
  for (const [path, text] of texts) await writeFile(path, text);
  return result;
}

const STALE = "run npm run openapi";

describe("a project with errors in many places", () => {
  let complaints: string | null;

  beforeAll(async () => {
    const changes: Change[] = [
      ["src/catalogue/products/schemas.ts", "sku: z.string(),", ""],
      [
        "src/domain/money.ts",
        "export const Money = z.number()",
        "export const Money = z.number().meta({ multipleOf: 0.01 })",
      ],
      ["src/domain/slug.ts", ".regex(/^", ".regex(/^(?!-)"],
      ["scripts/openapi/examples.json", '"getCart"', '"getKart"'],
    ];
    complaints = await edited(changes, complaint);
  });

  it.each([
    ["that the document is not what the routes say", STALE],
    ["an example with a field too many", "The example of the answer of getProduct does not fit"],
    [
      "an amount that not every validator reads alike",
      "Product/properties/price is a multipleOf 0.01: not every validator reads that alike",
    ],
    ["a pattern that not every validator reads alike", "ProductCreate/properties/slug/anyOf/0 has the pattern"],
    ["an operation without an example", "getCart was never recorded"],
    ["an example without an operation", "There is an example of getKart, which is no operation"],
  ])("gets an error for %s", (_, words) => {
    expect(complaints).toContain(words);
  });
});

it("notices a route without documented responses", LONG, async () => {
  const promise = 'answers("getMyProfile", "Get your profile", Profile, { refuses: { 404: ["not_found"] } }),';
  await edited([["src/accounts/users/routes.ts", promise, ""]], () =>
    expect(readDocument(copy)).rejects.toThrow("A route says nothing of its answer"),
  );
});

/** Expects the check to report a document that differs from the generated one. */
it("notices a route that no longer requires a permission, or requires another one", LONG, async () => {
  const { paths } = await edited(
    [
      ["src/downloads/files/admin-routes.ts", 'administer("files:read_all"),', ""],
      ["src/downloads/packages/admin-routes.ts", 'administer("packages:read"),', 'administer("orders:read"),'],
    ],
    () => readDocument(copy),
  );
  expect(paths["/api/v1/admin/files"]?.get?.security).toEqual([]);
  expect(paths["/api/v1/admin/packages"]?.get?.security).toContainEqual({ ApiKey: ["orders:read"] });
});
