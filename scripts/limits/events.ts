/** A schedule of events by millisecond. Simultaneous events run in the order in which they were scheduled. */
export class Events {
  now = 0;
  /** In the order in which they run. */
  readonly #events: { at: number; run: () => void }[] = [];

  in(ms: number, run: () => void): void {
    const at = this.now + Math.max(0, Math.ceil(ms));
    let [place, after] = [0, this.#events.length];
    while (place < after) {
      const middle = (place + after) >> 1;
      if ((this.#events[middle]?.at ?? 0) <= at) place = middle + 1;
      else after = middle;
    }
    this.#events.splice(place, 0, { at, run });
  }

  runUntil(end: number): void {
    for (let next = this.#events[0]; next && next.at <= end; next = this.#events[0]) {
      this.#events.shift();
      this.now = next.at;
      next.run();
    }
    this.now = end;
  }
}
