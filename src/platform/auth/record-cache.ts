/** How long a record is used when no change of it was announced. */
const MAX_AGE_MS = 60_000;

/**
 * A row that a Durable Object caches in memory: read once by however many requests wait for it, again after a minute,
 * and at once after `forget`. A read that was under way when it was forgotten is not cached.
 */
export class RecordCache<T> {
  #cached: { record: T; readAt: number } | undefined;
  #reading: Promise<T> | undefined;

  get(read: () => Promise<T>): Promise<T> | T {
    if (this.#cached && Date.now() - this.#cached.readAt < MAX_AGE_MS) return this.#cached.record;
    this.#reading ??= this.#read(read);
    return this.#reading;
  }

  forget(): void {
    this.#cached = undefined;
    this.#reading = undefined;
  }

  #read(read: () => Promise<T>): Promise<T> {
    const readAt = Date.now();
    const reading = read().then(
      (record) => {
        if (this.#reading === reading) {
          this.#cached = { record, readAt };
          this.#reading = undefined;
        }
        return record;
      },
      (error: unknown) => {
        if (this.#reading === reading) this.#reading = undefined;
        throw error;
      },
    );
    return reading;
  }
}

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
