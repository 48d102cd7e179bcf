/** How many credentials an isolate caches; a busy one meets fewer at a time. */
const MAX_ENTRIES = 1_000;

/**
 * Caches the result of verifying a credential under some secrets, since cryptography is a good part of what a cached response
 * costs. It lives as long as the secrets. Cache genuine credentials alone: forged ones would crowd them out.
 */
export class CredentialCache<Found> {
  #found = new WeakMap<object, Map<string, Found>>();

  get(secrets: object, credential: string): Found | undefined {
    return this.#found.get(secrets)?.get(credential);
  }

  set(secrets: object, credential: string, found: Found): Found {
    const known = this.#found.get(secrets) ?? new Map<string, Found>();
    if (known.size >= MAX_ENTRIES) known.clear();
    this.#found.set(secrets, known.set(credential, found));
    return found;
  }
}
