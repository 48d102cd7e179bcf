import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CREDENTIALS, type DemoAccess } from "./credentials.ts";
import { STATE } from "./database/local.ts";
import { env } from "./local.ts";
import { answersOf } from "./restore/drill/reads.ts";
import { openShop, pause, type Shop } from "./restore/drill/shop.ts";

// `npm run restore-drill` backs up a local demo shop and restores it, idle and under load, with kill -9 in the middle
// of both.

const PORT = Number(process.env.PORT || 8797);
const DRILL = ".restore/drill";
const BUYERS = 8;

const failures: string[] = [];
const report = (text: string) => console.log(text);
function expect(holds: boolean, text: string): void {
  report(`${holds ? "ok    " : "FAILED"}  ${text}`);
  if (!holds) failures.push(text);
}
const seconds = (since: number): string => `${((Date.now() - since) / 1000).toFixed(1)} s`;

rmSync(".restore", { recursive: true, force: true });
const prepared = spawnSync("node", ["scripts/prepare.ts"], { env, stdio: "ignore" });
if (prepared.status !== 0) throw new Error("scripts/prepare.ts could not prepare a shop");
cpSync(STATE, `${DRILL}/shop`, { recursive: true });
const { admin, customer, api_keys }: DemoAccess = JSON.parse(readFileSync(CREDENTIALS, "utf8"));

report("# At rest\n");
let shop = await openShop(`${DRILL}/shop`, { port: PORT, inSlices: false });
const as = { key: api_keys.premium, admin: await signIn(admin), customer: await signIn(customer) };
const first = await backUp(shop);
report(`        backup of ${first.rows} rows and ${first.objects} objects: ${first.size_bytes} bytes, ${first.took}`);
const answers = await answersOf(shop, as);
await shop.kill();
const restoring = Date.now();
const restored = restore(first.id, "at-rest", "--keep-ids");
expect(restored.status === 0, `restored in ${seconds(restoring)}: ${checksOf(restored.stdout + restored.stderr)}`);
shop = await openShop(`${DRILL}/at-rest`, { port: PORT, inSlices: false });
const again = await answersOf(shop, as, answers.keys());
await shop.kill();
const different = [...answers].filter(([path, answer]) => again.get(path) !== answer).map(([path]) => path);
expect(
  different.length === 0,
  `${answers.size} GETs have the same answers${different.map((path) => `\n          not ${path}`).join("")}`,
);
for (const path of different.slice(0, 3))
  writeFileSync(`${DRILL}/different-${path.replaceAll(/\W+/g, "-")}.txt`, `${answers.get(path)}\n${again.get(path)}\n`);

report("\n# Under load\n");
shop = await openShop(`${DRILL}/shop`, { port: PORT, inSlices: true });
const load = { placed: 0, refused: 0, lost: 0, ends: false };
const buyers = await Promise.all(Array.from({ length: BUYERS }, (_, n) => aBuyer(n)));
const { body: list } = await shop.ask("GET /admin/products?per_page=100&type=physical&in_stock=true", { as: as.key });
const products: { id: number; price: number; stock_quantity: number | null }[] = list.data.filter(
  ({ stock_quantity, options, status }: { stock_quantity: number | null; options: unknown[]; status: string }) =>
    options.length === 0 && status === "active" && (stock_quantity === null || stock_quantity > 20),
);
const loads = buyers.map((token, n) => buy(token, n));
await pause(2_000);
const began = Date.now();
const { body: started } = await shop.ask("POST /admin/backups", { as: as.key, body: {} });
const jobId: number = started.data.id;
await until(async () => (await jobNow()).done > 1_000);
const atKill = await jobNow();
await shop.kill();
expect(atKill.state === "running", `kill -9 of the server in the middle of the backup, after ${atKill.done} rows`);
shop = await openShop(`${DRILL}/shop`, { port: PORT, inSlices: true });
const { body: cut } = await shop.ask("GET /admin/backups", { as: as.key });
expect(cut.data.backups.length === 1, "the backup that was cut off is not listed");
const placedBefore = load.placed;
await until(async () => {
  await shop.tick();
  await pause(1_000);
  return (await jobNow()).state === "completed";
});
expect(
  true,
  `the backup went on and was complete after ${seconds(began)}, while ${load.placed - placedBefore} more orders were placed`,
);
const { body: both } = await shop.ask("GET /admin/backups", { as: as.key });
const [second] = both.data.backups;
await pause(1_000);
load.ends = true;
await Promise.all(loads);
report(
  `        ${load.placed} orders placed by ${BUYERS} buyers, ${load.refused} refused, ${load.lost} without an answer (kill -9)`,
);
await shop.kill();

const killed = await killInTheMiddle(second.id, "under-load");
expect(!existsSync(`${DRILL}/under-load/v3/d1`), `kill -9 in the middle of the restore (${killed}) leaves no database`);
const secondRun = Date.now();
const whole = restore(second.id, "under-load");
expect(whole.status === 0, `run again, restored in ${seconds(secondRun)}: ${checksOf(whole.stdout + whole.stderr)}`);
report(
  whole.stdout
    .trimEnd()
    .split("\n")
    .slice(2)
    .map((line) => `        ${line.trim()}`)
    .join("\n"),
);

report("\n# A flipped byte\n");
const copy = `.restore/${second.id}`;
const folder = join(copy, "backups", second.id);
const name = readdirSync(folder).find((file) => file.startsWith("orders-")) ?? "";
const bytes = readFileSync(join(folder, name));
bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 1;
cpSync(copy, `${DRILL}/copy`, { recursive: true });
writeFileSync(join(`${DRILL}/copy/backups`, second.id, name), bytes);
rmSync(copy, { recursive: true });
const damaged = restore(second.id, "damaged", "--copy", `${DRILL}/copy`);
expect(
  damaged.status === 1 && damaged.stderr.includes("table orders is damaged"),
  damaged.stderr.trim().split("\n").at(-1)?.trim() ?? "",
);

report(`\n${failures.length === 0 ? "All of it held." : `${failures.length} did not hold.`}`);
report(`Size of the shop's database: ${sizeOf(`${DRILL}/under-load`)} bytes.`);
process.exit(failures.length === 0 ? 0 : 1);

async function signIn(account: { email: string; password: string }): Promise<string> {
  return (await shop.ask("POST /user/auth/login", { body: account })).body.data.token;
}

async function backUp(open: Shop) {
  const start = Date.now();
  const { body } = await open.ask("POST /admin/backups", { as: as.key, body: {} });
  await until(
    async () => (await open.ask(`GET /admin/jobs/${body.data.id}`, { as: as.key })).body.data.state === "completed",
  );
  const { body: listed } = await open.ask("GET /admin/backups", { as: as.key });
  return { ...listed.data.backups[0], took: seconds(start) };
}

async function jobNow(): Promise<{ state: string; done: number }> {
  return (await shop.ask(`GET /admin/jobs/${jobId}`, { as: as.key })).body.data;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 180_000; !(await holds()); ) {
    if (Date.now() > end) throw new Error("It took more than three minutes");
    await pause(20);
  }
}

async function aBuyer(n: number): Promise<string> {
  const account = {
    email: `buyer-${n}-${Date.now()}@example.com`,
    password: `a good password of ${n}`,
    name: `Buyer ${n}`,
  };
  const { body } = await shop.ask("POST /user/auth/signup", { body: account });
  const token = body.data.token ?? (await signIn(account));
  const { body: found } = await shop.ask(`GET /admin/users?search=${account.email}`, { as: as.admin });
  const credited = await shop.ask(`POST /admin/users/${found.data[0].id}/credit`, {
    as: as.admin,
    body: { amount: 5_000, reason: "For the drill" },
  });
  if (credited.status >= 300) throw new Error(`The wallet was not credited: ${JSON.stringify(credited.body)}`);
  return token;
}

/** Places orders until the load ends. The server is away for a while. */
async function buy(token: string, n: number): Promise<void> {
  for (let at = n; !load.ends; at++) {
    const product = products[at % products.length];
    if (!product) throw new Error("The shop has no products to buy");
    const body = {
      items: [{ product_id: product.id, quantity: 1, price: product.price }],
      shipping_address: {
        name: "Ada Lovelace",
        address: "12 St James's Square",
        city: "London",
        zip: "SW1Y 4JH",
        country: "GB",
      },
      payment_method: "wallet",
    };
    const answer = await shop.ask("POST /user/orders", { as: token, body }).catch(() => null);
    if (answer?.status === 201) load.placed++;
    else if (answer) load.refused++;
    else load.lost++;
    if (answer && answer.status !== 201 && load.refused === 1)
      report(`        refused: ${JSON.stringify(answer.body).slice(0, 300)}`);
    await pause(650);
  }
}

function restore(id: string, into: string, ...more: string[]) {
  const args = ["scripts/restore.ts", id, "--local", "--into", `${DRILL}/${into}`, "--from", `${DRILL}/shop`, ...more];
  return spawnSync("node", args, { env, encoding: "utf8" });
}

/** Starts a restore and kills it while it builds the database. Returns its output until then. */
async function killInTheMiddle(id: string, into: string): Promise<string> {
  const args = ["scripts/restore.ts", id, "--local", "--into", `${DRILL}/${into}`, "--from", `${DRILL}/shop`];
  const child = spawn("node", args, { env, detached: true });
  let said = "";
  child.stdout.on("data", (chunk) => {
    said += chunk;
  });
  const gone = new Promise((done) => child.once("exit", done));
  while (!said.includes("objects") && child.exitCode === null) await pause(5);
  await pause(200);
  if (child.exitCode === null && child.pid) process.kill(-child.pid, "SIGKILL");
  await gone;
  return said.trim();
}

function checksOf(output: string): string {
  return /\d+ of \d+ checks hold/.exec(output)?.[0] ?? output.trim();
}

function sizeOf(state: string): number {
  const databases = join(state, "v3/d1/miniflare-D1DatabaseObject");
  return readdirSync(databases).reduce((sum, file) => sum + statSync(join(databases, file)).size, 0);
}
