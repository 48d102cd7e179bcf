/** How many credentials an isolate remembers; a busy one meets fewer at a time. */
const MOST = 1_000;

/**
 * What a credential was found to be under some secrets, for when it comes again: cryptography is a good part of what a warm
 * answer costs. It is forgotten with the secrets. Keep the genuine alone: what is made up would crowd it out.
 */
export class Remembered<Found> {
  #found = new WeakMap<object, Map<string, Found>>();

  get(secrets: object, credential: string): Found | undefined {
    return this.#found.get(secrets)?.get(credential);
  }

  keep(secrets: object, credential: string, found: Found): Found {
    const known = this.#found.get(secrets) ?? new Map<string, Found>();
    if (known.size >= MOST) known.clear();
    this.#found.set(secrets, known.set(credential, found));
    return found;
  }
}
