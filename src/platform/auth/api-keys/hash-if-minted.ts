import type { Secrets } from "../../settings/settings.ts";
import { CredentialCache } from "../credential-cache.ts";
import { hashSecret } from "../secrets.ts";
import { isMinted } from "./format.ts";

const hashes = new CredentialCache<string>();

/** The hash of a key that was minted under one of `secrets`, else undefined. */
export function hashIfMinted(key: string, secrets: Secrets): string | undefined {
  const known = hashes.get(secrets, key);
  if (known !== undefined) return known;
  return isMinted(key, secrets) ? hashes.set(secrets, key, hashSecret(key)) : undefined;
}
