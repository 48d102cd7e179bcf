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
