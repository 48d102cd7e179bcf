import { listDurableObjectIds, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** Ids of the Durable Objects so far. Those of files that ran before are thousands, and survive a reset while they are idle. */
export async function objectIds(): Promise<Set<string>> {
  const ids = await Promise.all(Object.values(durableObjects).map((objects) => listDurableObjectIds(objects)));
  return new Set(ids.flat().map(String));
}

/**
 * Places in the database, the bucket and the Durable Objects that contain any of the words: names of tables, keys of objects, and
 * bindings. The objects in `older` are left out.
 */
export async function placesOf(words: readonly string[], older: ReadonlySet<string>): Promise<string[]> {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'",
  ).all<{ name: string }>();
  const rows = await env.DB.batch<object>(tables.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`)));
  const found = tables
    .map(({ name }) => name)
    .filter((_, at) =>
      hasAny(rows[at]?.results.flatMap((row) => Object.values(row).map(textOf)).join("\n") ?? "", words),
    );
  for (const { key } of (await env.FILES.list()).objects) {
    const object = await env.FILES.get(key);
    const told = `${key}\n${JSON.stringify(object?.customMetadata)}${JSON.stringify(object?.httpMetadata)}`;
    if (hasAny(told + textOf(new Uint8Array((await object?.arrayBuffer()) ?? [])), words)) found.push(key);
  }
  for (const [name, objects] of Object.entries(durableObjects)) {
    for (const id of await listDurableObjectIds(objects)) {
      if (older.has(String(id))) continue;
      const stored = await runInDurableObject(objects.get(id), async (_, { storage }) => {
        const tables = storage.sql.exec("SELECT name FROM sqlite_master WHERE type = 'table'").toArray();
        const rows = tables
          .filter(({ name: table }) => !String(table).startsWith("_cf_"))
          .flatMap(({ name: table }) => storage.sql.exec(`SELECT * FROM "${table}"`).toArray());
        return JSON.stringify([[...(await storage.list())], rows]);
      });
      if (hasAny(stored, words)) found.push(name);
    }
  }
  return found;
}

const { API_KEY_LIMITER, API_KEY_HOME, USER_LIMITER, ADDRESS_LIMITER, LOGIN_THROTTLE, WEBHOOK_ENDPOINT } = env;
const durableObjects: Record<string, DurableObjectNamespace> = {
  API_KEY_LIMITER,
  API_KEY_HOME,
  USER_LIMITER,
  ADDRESS_LIMITER,
  LOGIN_THROTTLE,
  WEBHOOK_ENDPOINT,
};

/** D1 returns blobs, such as the segments of a full-text index, as lists of bytes. */
const textOf = (value: unknown): string => {
  if (value instanceof Uint8Array || value instanceof ArrayBuffer || Array.isArray(value)) {
    return Buffer.from(value as Uint8Array).toString("latin1");
  }
  return String(value);
};

const hasAny = (text: string, words: readonly string[]): boolean => {
  const lower = text.toLowerCase();
  return words.some((word) => lower.includes(word.toLowerCase()));
};
