import type { ShopContext } from "../env.ts";

/** An answer that no webhook said anything against is asked for again after so long. */
const KEPT_SECONDS = 15 * 60;

const GENERATION = "catalogue";

/**
 * What the API answers about the catalogue, kept until a webhook says that products changed. Without webhooks nothing is kept.
 * What is read while they change is kept under the generation before, which nobody looks at any more.
 */
export async function kept<Answer extends object>(
  c: ShopContext,
  name: string,
  ask: () => Promise<Answer & { response: Response }>,
): Promise<Omit<Answer, "response">> {
  const { STORE, WEBHOOK_SECRET } = c.env;
  if (!WEBHOOK_SECRET) return ask();
  const key = `${GENERATION}:${await STORE.get(GENERATION)}:${name}`;
  const known = await STORE.get<Omit<Answer, "response">>(key, "json");
  if (known) return known;
  const { response: _, ...answer } = await ask();
  c.executionCtx.waitUntil(STORE.put(key, JSON.stringify(answer), { expirationTtl: KEPT_SECONDS }));
  return answer;
}

/** Begins a new generation. Elsewhere on earth that is known within a minute. */
export const dropCatalogue = ({ env }: ShopContext): Promise<void> => env.STORE.put(GENERATION, crypto.randomUUID());
