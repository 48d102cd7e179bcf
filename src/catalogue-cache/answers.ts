import { logFault } from "../http/log.ts";
import { type KeptAnswer, toKept } from "./kept.ts";
import { AnswerMemory, isFresh } from "./memory.ts";

// Two places that know an answer of the catalogue: this isolate's memory, and the Cache API of its data centre. A key is an
// address on the installation's own host. Neither is needed: what they cannot answer is read from the database.

const memory = new AnswerMemory();

const BUILT_AT = "X-Built-At";

/** An answer that is fresh enough to be given again. */
export async function findAnswer(key: string, now: number): Promise<KeptAnswer | undefined> {
  const near = memory.get(key, now);
  if (near) return near;
  const answer = await fromCache(key);
  if (!answer || !isFresh(answer, now)) return undefined;
  memory.set(key, answer);
  return answer;
}

async function fromCache(key: string): Promise<KeptAnswer | undefined> {
  try {
    const answer = await caches.default.match(key);
    if (!answer) return undefined;
    const { headers } = answer;
    return toKept({
      body: await answer.text(),
      etag: headers.get("ETag") ?? "",
      link: headers.get("Link"),
      builtAt: Number(headers.get(BUILT_AT)),
    });
  } catch (error) {
    logFault("the catalogue's cache cannot be read", error);
    return undefined;
  }
}

/** Keeps an answer in both places; the Cache API's is awaited behind the answer. */
export function keepAnswer(key: string, answer: KeptAnswer): Promise<void> {
  memory.set(key, answer);
  const { body, etag, link, builtAt } = answer;
  const headers = new Headers({ "Cache-Control": "public, max-age=30", ETag: etag, [BUILT_AT]: String(builtAt) });
  if (link !== null) headers.set("Link", link);
  return caches.default.put(key, new Response(body, { headers }));
}

/** Forgets what this isolate knows, here and in its data centre, and `keys` besides. Others forget by their age. */
export async function forgetAnswers(keys: string[]): Promise<void> {
  try {
    await Promise.all([...memory.clear(), ...keys].map((key) => caches.default.delete(key)));
  } catch (error) {
    logFault("the catalogue's cache was not purged: it is stale for at most 30 s", error);
  }
}
