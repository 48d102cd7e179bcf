/** Samples log lines: at most so many a second are written, and the skipped ones are counted. Times are epoch milliseconds. */
export class LogSampler {
  readonly #maxPerSecond: number;
  #second = 0;
  #sampled = 0;
  #skipped = 0;

  constructor(maxPerSecond: number) {
    this.#maxPerSecond = maxPerSecond;
  }

  /** How many lines were skipped before this one, or null if this one is to be skipped. */
  sample(now: number): number | null {
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#sampled = 0;
    }
    if (this.#sampled >= this.#maxPerSecond) {
      this.skip();
      return null;
    }
    this.#sampled++;
    const skipped = this.#skipped;
    this.#skipped = 0;
    return skipped;
  }

  /** Counts a line that its caller does not write. */
  skip(): void {
    this.#skipped++;
  }
}
