import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { sent } from "../payments/support/stand-in.ts";
import { call } from "../support/call.ts";
import { shared } from "../support/callers.ts";
import { asAdministrator } from "../support/settings.ts";
import { aKey } from "../support/shop.ts";

/** A new receiver: its URL, and the requests it received, oldest first. */
function aReceiver() {
  const name = crypto.randomUUID();
  const url = `${env.STRIPE_API_URL}/receive/${name}`;
  const received = async () =>
    (await sent(name, "POST /receive/")).map(({ headers, body }) => ({
      id: String(headers["webhook-id"]),
      headers: Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, String(value)])),
      body,
      event: JSON.parse(body),
    }));
  return { name, url, received };
}

const ours = shared(() => aKey({ permissions: ["read", "write"] }));

/** A key with read and write permissions that the tests of a file share. */
export const asKey = async (): Promise<string> => (await ours()).key;

type Fields = { url?: string; types?: string[]; enabled?: boolean; description?: string };

/**
 * An endpoint with a receiver, by default subscribed to products. Deletes the oldest endpoints once the shop's limit is
 * reached.
 */
export async function aWebhook(fields: Fields = {}) {
  const receiver = aReceiver();
  const body = { url: receiver.url, types: ["product.*"], ...fields };
  await env.DB.prepare("DELETE FROM webhook_endpoints WHERE id < (SELECT max(id) FROM webhook_endpoints) - 30").run();
  const as = await (body.types.includes("*") ? asAdministrator() : asKey());
  const { body: answer } = await call("POST /admin/webhooks", { as, body });
  const { id, secret } = answer.data as { id: number; secret: string };
  const row = await env.DB.prepare("SELECT key FROM webhook_endpoints WHERE id = ?").bind(id).first<{ key: string }>();
  const object = () => env.WEBHOOK_ENDPOINT.getByName(row?.key ?? "");
  const path = `/admin/webhooks/${id}`;
  const sendTest = async () => call(`POST ${path}/test`, { as: await asAdministrator(), body: {} });
  return { ...receiver, id, secret, object, path, sendTest };
}

export type Endpoint = Awaited<ReturnType<typeof aWebhook>>;

/** Lets the endpoint read new events and deliver all that are due. */
export async function deliver({ id, object }: Endpoint): Promise<void> {
  await object().nudge(id);
  await runInDurableObject(object(), (endpoint) => endpoint.alarm());
}

/** Writes events as the triggers do, and returns their ids. */
export async function publish(...subjects: number[]): Promise<number[]> {
  const statement = env.DB.prepare(
    `INSERT INTO events (type, subject, created_at, data)
      VALUES ('product.updated', 'product:' || CAST(?1 AS INTEGER), ?2, json_object('product_id', CAST(?1 AS INTEGER))) RETURNING id`,
  );
  const results = await env.DB.batch<{ id: number }>(subjects.map((subject) => statement.bind(subject, Date.now())));
  return results.flatMap(({ results }) => results.map(({ id }) => id));
}

/** An endpoint's deliveries as the API shows them, newest first. */
export const deliveriesOf = async ({ path }: { path: string }, query = "") =>
  (await call(`GET ${path}/deliveries${query}`, { as: await asAdministrator() })).body.data;

/** True if the official Standard Webhooks library verifies the request. */
export function isVerified(
  secret: string,
  { body, headers }: { body: string; headers: Record<string, string> },
): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
