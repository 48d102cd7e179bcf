import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

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

/** What the check of the document says about the copy; null when it finds nothing. */
const complaint = () =>
  run("node", ["scripts/openapi.ts", "--check"], { cwd: copy }).then(
    () => null,
    ({ stderr }: { stderr: string }) => stderr,
  );

/** The same about the copy with one change in it. */
async function complaintAbout(file: string, before: string, after: string) {
  const path = join(copy, file);
  const text = await readFile(path, "utf8");
  expect(text).toContain(before);
  await writeFile(path, text.replace(before, after));
  const words = await complaint();
  await writeFile(path, text);
  return words;
}

const STALE = "run npm run openapi";

it("has nothing to say about the project as it is", async () => {
  expect(await complaint()).toBeNull();
});

it("sees that a field is gone from an answer, and its example with a field too many", async () => {
  const complaints = await complaintAbout("src/products/schemas.ts", "sku: z.string(),", "");
  expect(complaints).toContain(STALE);
  expect(complaints).toContain("The example of the answer of getProduct does not fit");
});

it.each([
  ["src/money.ts", "export const Money = z.number();", "export const Money = z.number().meta({ multipleOf: 0.01 });"],
  ["src/slug.ts", ".regex(/^", ".regex(/^(?!-)"],
])("sees that %s has a schema that not every validator reads alike", async (...change) => {
  expect(await complaintAbout(...change)).toContain("not every validator reads that alike");
});

it("sees that an operation has no example, and an example no operation", async () => {
  const complaints = await complaintAbout("scripts/openapi/examples.json", '"getCart"', '"getKart"');
  expect(complaints).toContain("getCart was never recorded");
  expect(complaints).toContain("There is an example of getKart, which is no operation");
});

it("sees that a route asks for no permission any more, or for another one", async () => {
  const [routes, gate] = ["src/categories/admin-routes.ts", 'administer("products:read"),'];
  expect(await complaintAbout(routes, gate, "")).toContain(STALE);
  expect(await complaintAbout(routes, gate, 'administer("orders:read"),')).toContain(STALE);
});

it("sees that a route promises nothing", async () => {
  const promise = 'answers("Get your profile", Profile, { refuses: [404] }), ';
  expect(await complaintAbout("src/account/routes.ts", promise, "")).toContain("A route says nothing of its answer");
});
