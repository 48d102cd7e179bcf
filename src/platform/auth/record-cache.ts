/** Maximum age of a record without a notified change. */
const MAX_AGE_MS = 60_000;

/**
 * A row cached in a Durable Object's memory: read once for all waiting requests, again after a minute, and immediately after
 * `forget`. A read in progress when it is forgotten is not cached.
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

/** Credentials cached per isolate. */
const MAX_ENTRIES = 1_000;

/**
 * Caches verified credentials per list of secrets, because cryptography is a large part of a cached response's cost. Cache
 * genuine credentials only: forged ones would evict them.
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
