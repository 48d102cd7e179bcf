import { Remembered } from "../remembered.ts";
import { hashSecret, type Secrets } from "../secrets.ts";
import { isMinted } from "./format.ts";

const hashes = new Remembered<string>();

/** The hash of a key that was minted under one of `secrets`, else undefined. */
export function recognise(key: string, secrets: Secrets): string | undefined {
  const known = hashes.get(secrets, key);
  if (known !== undefined) return known;
  return isMinted(key, secrets) ? hashes.keep(secrets, key, hashSecret(key)) : undefined;
}
