import { logFault } from "../http/log.ts";
import { type KeptAnswer, toKept } from "./kept.ts";
import { AnswerMemory, isFresh } from "./memory.ts";

// Two places that know an answer of the catalogue: this isolate's memory, and the Cache API of its data centre. A key is an
// address on the installation's own host. Neither is needed: what they cannot answer is read from the database.

const memory = new AnswerMemory();

const BUILT_AT = "X-Built-At";

/** Holds when the catalogue was last written, as far as the data centre knows: epoch milliseconds. */
const purgeKeyOf = (origin: string): string => `${origin}/.catalogue/purged-at`;

/** An answer that is fresh enough to be given again. */
export async function findAnswer(key: string, now: number): Promise<KeptAnswer | undefined> {
  const near = memory.get(key, now);
  if (near) return near;
  const answer = await fromCache(key);
  if (!answer || !isFresh(answer, now)) return undefined;
  if (answer.builtAt <= (await purgedAt(new URL(key).origin))) return undefined;
  memory.set(key, answer);
  return answer;
}

async function fromCache(key: string): Promise<KeptAnswer | undefined> {
  try {
    const answer = await caches.default.match(key);
    if (!answer) return undefined;
    const { headers } = answer;
    const built = {
      body: await answer.text(),
      etag: headers.get("ETag") ?? "",
      link: headers.get("Link"),
      builtAt: Number(headers.get(BUILT_AT)),
    };
    return toKept(built, true);
  } catch (error) {
    logFault("the catalogue's cache cannot be read", error);
    return undefined;
  }
}

/** A purge that cannot be read may have been at any time. */
async function purgedAt(origin: string): Promise<number> {
  try {
    const purge = await caches.default.match(purgeKeyOf(origin));
    return purge ? Number(await purge.text()) : 0;
  } catch (error) {
    logFault("the catalogue's cache cannot be read", error);
    return Number.POSITIVE_INFINITY;
  }
}

export const keepAnswer = (key: string, answer: KeptAnswer): void => memory.set(key, answer);

/** Has the data centre's other isolates know an answer: one that was asked for again, since most filters are used once. */
export function shareAnswer(key: string, answer: KeptAnswer): Promise<void> {
  answer.isShared = true;
  const { body, etag, link, builtAt } = answer;
  const headers = new Headers({ "Cache-Control": "public, max-age=30", ETag: etag, [BUILT_AT]: String(builtAt) });
  if (link !== null) headers.set("Link", link);
  return caches.default.put(key, new Response(body, { headers }));
}

/**
 * From now on no answer is given that was built before, by this isolate or from its data centre's cache: not one that is
 * being built meanwhile either. Other isolates' memories forget by age.
 */
export async function purgeAnswers(origin: string, now: number): Promise<void> {
  memory.purge(now);
  try {
    const headers = { "Cache-Control": "public, max-age=60" };
    await caches.default.put(purgeKeyOf(origin), new Response(String(now), { headers }));
  } catch (error) {
    logFault("the catalogue's cache was not purged: it is stale for at most 30 s", error);
  }
}
