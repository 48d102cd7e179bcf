type Event = { at: number; order: number; run: () => void };

/** A schedule of events by millisecond: a binary heap. Events of one moment run in the order in which they were scheduled. */
export class Events {
  now = 0;
  readonly #heap: Event[] = [];
  #planned = 0;

  in(ms: number, run: () => void): void {
    const heap = this.#heap;
    heap.push({ at: this.now + Math.max(0, Math.ceil(ms)), order: this.#planned++, run });
    for (let child = heap.length - 1; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!this.#swapIfLater(parent, child)) break;
      child = parent;
    }
  }

  runUntil(end: number): void {
    for (let next = this.#heap[0]; next && next.at <= end; next = this.#heap[0]) {
      this.now = next.at;
      this.#removeFirst();
      next.run();
    }
    this.now = end;
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    heap[0] = last;
    for (let parent = 0; ; ) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2];
      if (left >= heap.length) return;
      const child = right < heap.length && this.#isLater(left, right) ? right : left;
      if (!this.#swapIfLater(parent, child)) return;
      parent = child;
    }
  }

  #isLater(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (!a || !b) return false;
    return a.at > b.at || (a.at === b.at && a.order > b.order);
  }

  #swapIfLater(parent: number, child: number): boolean {
    const [a, b] = [this.#heap[parent], this.#heap[child]];
    if (!a || !b || !this.#isLater(parent, child)) return false;
    this.#heap[parent] = b;
    this.#heap[child] = a;
    return true;
  }
}
