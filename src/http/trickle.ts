/** Lets so many through in a second, and counts those that it holds back. Times are epoch milliseconds. */
export class Trickle {
  readonly #most: number;
  #second = 0;
  #let = 0;
  #held = 0;

  constructor(mostInASecond: number) {
    this.#most = mostInASecond;
  }

  /** How many were held back before this one, or null if it is held back itself. */
  take(now: number): number | null {
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#let = 0;
    }
    if (this.#let >= this.#most) {
      this.holdBack();
      return null;
    }
    this.#let++;
    const held = this.#held;
    this.#held = 0;
    return held;
  }

  /** Counts one that somebody else held back. */
  holdBack(): void {
    this.#held++;
  }
}
