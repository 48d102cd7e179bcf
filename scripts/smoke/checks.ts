import { listen } from "../listen.ts";
import { type Client, check, eventually } from "./client.ts";

/** Credentials of a smoke test. Checks that lack one are skipped. */
export type Credentials = {
  /** An API key with `read` and `write`, created by an administrator. */
  apiKey: string;
  /** A mailbox. Accounts are created at addresses of it such as `ops+smoke-1a2b@shop.example`. */
  email?: string | undefined;
  /** A URL that accepts webhooks. Not needed for a local shop. */
  webhookUrl?: string | undefined;
};

type Product = { id: number; price: number };
type Order = { id: number; number: string; payment_status: string; payment: { next_action: { url: string } | null } };
type Delivery = { event_id: number; state: string };

/** The state of a run: data about the shop, and functions that remove test data. */
export type Run = Client & {
  credentials: Credentials;
  /** A word that marks everything created by this run. */
  mark: string;
  product?: Product;
  takesTestPayments: boolean;
  /** Cleanup functions, newest last. They run in reverse. */
  undo: { what: string; run: () => Promise<unknown> }[];
};

/** Checks in order. A check that returns a text was skipped for this reason. */
export const checks: { name: string; run: (run: Run) => Promise<string | undefined> }[] = [
  { name: "The shop answers, by the expected version", run: health },
  { name: "A wrong credential and an unknown product are refused", run: refusals },
  { name: "Responses to a key show its limit", run: limits },
  { name: "A product is created, shown and listed", run: product },
  { name: "A cart takes a product", run: cart },
  { name: "An order is placed, paid with a test card and listed", run: order },
  { name: "An account signs up, signs in and has a profile", run: account },
  { name: "Files are listed and downloads checked", run: files },
  { name: "A webhook is delivered", run: webhook },
  { name: "The shop still answers by the expected version", run: health },
];

async function health({ ask, versionId }: Run): Promise<undefined> {
  const { version } = await ask<{ version: string }>("GET /health");
  check(versionId === undefined || version === versionId, `Version ${version} answers instead of ${versionId}.`);
}

async function refusals({ expectStatus, credentials }: Run): Promise<undefined> {
  const { headers } = await expectStatus(401, "GET /api/v1/user/products", { as: "nonsense" });
  check(headers.has("WWW-Authenticate"), "A refused credential is not told how to authenticate.");
  await expectStatus(404, "GET /api/v1/user/products/999999999", { as: credentials.apiKey });
}

async function limits({ expectStatus, credentials }: Run): Promise<undefined> {
  const { headers } = await expectStatus(200, "GET /api/v1/user/products?per_page=1", { as: credentials.apiKey });
  const [limit, remaining] = ["Limit", "Remaining"].map((name) => Number(headers.get(`X-RateLimit-${name}`) ?? "none"));
  const isSane = limit !== undefined && remaining !== undefined && limit > 0 && remaining >= 0 && remaining < limit;
  check(isSane && headers.has("RateLimit"), `The limit headers say ${remaining} of ${limit}.`);
}

/** The product can be bought if orders are tests. Otherwise it stays a draft, which no customer sees. */
async function product(run: Run): Promise<undefined> {
  const { ask, create, credentials, mark, undo } = run;
  const as = credentials.apiKey;
  const settings = await ask<{ connected: { test: boolean } }>("GET /api/v1/admin/payment-settings", { as });
  run.takesTestPayments = settings.connected.test;
  const status = run.takesTestPayments ? "active" : "draft";
  const body = { name: `Smoke test ${mark}`, sku: mark, type: "service", price: 1, status, requires_shipping: false };
  const made = await create<Product>("POST /api/v1/admin/products", { as, body });
  const path = `/api/v1/admin/products/${made.id}`;
  // A product that was sold cannot be deleted.
  const hide = () => ask(`PUT ${path}`, { as, body: { status: "draft" } });
  const remove = () => run.expectStatus(204, `DELETE ${path}`, { as });
  undo.push({ what: "product", run: run.takesTestPayments ? hide : remove });
  run.product = made;
  await ask(`GET /api/v1/user/products/${made.id}`, { as });
  const query = `?search=${mark}&status=${status}`;
  const found = await eventually(
    () => ask<Product[]>(`GET /api/v1/user/products${query}`, { as }),
    (products) => products.some(({ id }) => id === made.id),
    "The list of products does not show a product that was created.",
  );
  check(found.length === 1, `The search for one product found ${found.length}.`);
}

async function cart({ ask, expectStatus, create, credentials, product, takesTestPayments, undo }: Run) {
  const as = credentials.apiKey;
  const [first] = await ask<Product[]>("GET /api/v1/user/products?status=active&in_stock=true&per_page=1", { as });
  const chosen = takesTestPayments ? product : first;
  if (!chosen) return "the shop has no product that can be bought";
  const { token } = await create<{ token: string }>("POST /api/v1/user/cart", { as, body: { product_id: chosen.id } });
  const headers = { "X-Cart-Token": token };
  undo.push({ what: "cart", run: () => expectStatus(204, "DELETE /api/v1/user/cart", { as, headers }) });
  const { items } = await ask<{ items: { product_id: number }[] }>("GET /api/v1/user/cart", { as, headers });
  check(items[0]?.product_id === chosen.id, "The cart does not have the product that was added.");
  return undefined;
}

async function order({ url, ask, expectStatus, create, credentials, product, takesTestPayments, undo }: Run) {
  const as = credentials.apiKey;
  await ask("GET /api/v1/user/account/orders?per_page=1", { as });
  await expectStatus(404, "GET /api/v1/user/account/orders/999999999", { as });
  if (!takesTestPayments || !product) {
    const items = [{ product_id: 999_999_999, quantity: 1, price: 1 }];
    await expectStatus(400, "POST /api/v1/user/orders", { as, body: { items, payment_method: "bank_transfer" } });
    return "the shop takes no test payments; that an impossible order is refused was checked";
  }
  const items = [{ product_id: product.id, quantity: 1, price: product.price }];
  const body = { items, payment_method: "test_card" };
  const placed = await create<Order>("POST /api/v1/user/orders", { as, body });
  const path = `/api/v1/admin/orders/${placed.id}`;
  undo.push({
    what: `order ${placed.number}`,
    run: () => expectStatus(200, `PUT ${path}`, { as, body: { status: "refunded" } }),
  });
  const page = placed.payment.next_action?.url;
  check(page !== undefined, "The order has no page to pay it on.");
  const form = { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin" };
  // The shop may name another of its hosts, or any host: only the tested one is sent anything.
  await expectStatus(303, `POST ${new URL(page, url).pathname}`, { body: "outcome=succeed", headers: form });
  const one = `GET /api/v1/user/account/orders/${placed.id}`;
  const isPaid = ({ payment_status }: Order) => payment_status === "paid";
  await eventually(() => ask<Order>(one, { as }), isPaid, "The order was not marked as paid within half a minute.");
  return undefined;
}

async function account({ ask, create, expectStatus, credentials, mark, url, undo }: Run) {
  const email = addressAt(credentials.email ?? (isLocal(url) ? "smoke@example.com" : undefined), mark);
  if (email === undefined) {
    await expectStatus(400, "POST /api/v1/user/auth/signup", { body: {} });
    await expectStatus(400, "POST /api/v1/user/auth/login", { body: {} });
    await expectStatus(401, "GET /api/v1/user/account/profile");
    return "SMOKE_EMAIL is not set; that incomplete requests are refused was checked";
  }
  const password = crypto.randomUUID();
  await create("POST /api/v1/user/auth/signup", { body: { email, password, name: "Smoke Test" } });
  const { token } = await ask<{ token: string }>("POST /api/v1/user/auth/login", { body: { email, password } });
  undo.push({
    what: "account",
    run: () => ask("DELETE /api/v1/user/account", { as: token, body: { current_password: password } }),
  });
  const profile = await ask<{ email: string }>("GET /api/v1/user/account/profile", { as: token });
  check(profile.email === email, `The profile is of ${profile.email} instead of ${email}.`);
  return undefined;
}

/** `ops@shop.example` becomes `ops+smoke-1a2b@shop.example`. */
const addressAt = (mailbox: string | undefined, mark: string): string | undefined => mailbox?.replace("@", `+${mark}@`);

async function files({ ask, expectStatus, credentials }: Run): Promise<undefined> {
  const as = credentials.apiKey;
  await ask("GET /api/v1/user/files?per_page=1", { as });
  await expectStatus(404, "GET /api/v1/user/download-file?file_id=999999999", { as });
}

async function webhook({ ask, create, expectStatus, credentials, mark, url, undo }: Run) {
  const as = credentials.apiKey;
  const receiver = isLocal(url) ? await listen((_, response) => response.writeHead(204).end()) : undefined;
  const target = receiver?.url ?? credentials.webhookUrl;
  if (target === undefined) {
    await ask("GET /api/v1/admin/webhooks", { as });
    return "SMOKE_WEBHOOK_URL is not set; that webhooks are listed was checked";
  }
  try {
    const body = { url: target, types: ["refund.failed"], description: mark };
    const { id } = await create<{ id: number }>("POST /api/v1/admin/webhooks", { as, body });
    const path = `/api/v1/admin/webhooks/${id}`;
    undo.push({ what: "webhook", run: () => expectStatus(204, `DELETE ${path}`, { as }) });
    const { event_id } = await ask<{ event_id: number }>(`POST ${path}/test`, { as, body: {} });
    const succeeded = (list: Delivery[]) => list.some((one) => one.event_id === event_id && one.state === "succeeded");
    const deliveries = () => ask<Delivery[]>(`GET ${path}/deliveries`, { as });
    await eventually(deliveries, succeeded, `The webhook was not delivered to ${target} within half a minute.`);
  } finally {
    receiver?.close();
  }
  return undefined;
}

const isLocal = (url: string): boolean => ["localhost", "127.0.0.1"].includes(new URL(url).hostname);
