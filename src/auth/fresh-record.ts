/** How long a record is believed when nobody said that it changed. */
const MAX_AGE_MS = 60_000;

/**
 * A row that a Durable Object keeps in memory: read once by however many requests wait for it, again after a minute,
 * and at once after `forget`. A read that was under way when it was forgotten is not kept.
 */
export class FreshRecord<T> {
  #kept: { record: T; readAt: number } | undefined;
  #reading: Promise<T> | undefined;

  get(read: () => Promise<T>): Promise<T> | T {
    if (this.#kept && Date.now() - this.#kept.readAt < MAX_AGE_MS) return this.#kept.record;
    this.#reading ??= this.#read(read);
    return this.#reading;
  }

  forget(): void {
    this.#kept = undefined;
    this.#reading = undefined;
  }

  #read(read: () => Promise<T>): Promise<T> {
    const readAt = Date.now();
    const reading = read().then(
      (record) => {
        if (this.#reading === reading) {
          this.#kept = { record, readAt };
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
