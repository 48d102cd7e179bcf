import { hashSecret, type Secrets } from "../secrets.ts";
import { isMinted } from "./format.ts";

/** How many keys an isolate remembers; a busy installation has fewer. */
const MOST_KEYS = 1_000;

const recognised = new WeakMap<Secrets, Map<string, string>>();

/**
 * The hash of a key that was minted under one of `secrets`, else undefined. Worked out once for a key that comes again:
 * an HMAC and a hash are a good part of what a warm answer costs. What is made up is not remembered.
 */
export function recognise(key: string, secrets: Secrets): string | undefined {
  const known = recognised.get(secrets) ?? new Map<string, string>();
  const before = known.get(key);
  if (before !== undefined) return before;
  if (!isMinted(key, secrets)) return undefined;
  const hash = hashSecret(key);
  if (known.size >= MOST_KEYS) known.clear();
  recognised.set(secrets, known.set(key, hash));
  return hash;
}
