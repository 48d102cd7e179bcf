/** A schedule of events by millisecond. Simultaneous events run in the order in which they were scheduled. */
export class Events {
  now = 0;
  readonly #events = new Map<number, (() => void)[]>();
  /** A binary heap of the times that have events. */
  readonly #moments: number[] = [];

  in(ms: number, run: () => void): void {
    const at = this.now + Math.max(0, Math.ceil(ms));
    const planned = this.#events.get(at);
    if (planned) return void planned.push(run);
    this.#events.set(at, [run]);
    this.#add(at);
  }

  runUntil(end: number): void {
    for (let next = this.#moments[0]; next !== undefined && next <= end; next = this.#moments[0]) {
      this.now = next;
      // An event may schedule another for the same time.
      for (const run of this.#events.get(next) ?? []) run();
      this.#events.delete(next);
      this.#removeFirst();
    }
    this.now = end;
  }

  #add(at: number): void {
    const moments = this.#moments;
    let place = moments.push(at) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const earlier = moments[parent] ?? 0;
      if (earlier <= at) break;
      moments[place] = earlier;
      place = parent;
    }
    moments[place] = at;
  }

  #removeFirst(): void {
    const moments = this.#moments;
    const last = moments.pop() ?? 0;
    if (moments.length === 0) return;
    let place = 0;
    for (let child = 1; child < moments.length; child = 2 * place + 1) {
      if ((moments[child + 1] ?? Number.POSITIVE_INFINITY) < (moments[child] ?? 0)) child++;
      const earlier = moments[child] ?? 0;
      if (earlier >= last) break;
      moments[place] = earlier;
      place = child;
    }
    moments[place] = last;
  }
}
