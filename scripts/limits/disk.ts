import type { Network } from "./network.ts";

/**
 * The storage of an object. Writes arrive in order, a few milliseconds later. If the object dies, pending writes arrive or
 * not, but never a later one without the earlier ones. Writes of a replaced copy are lost.
 */
export class Disk<State> {
  readonly #network: Network;
  #stored: string | undefined;

  constructor(network: Network) {
    this.#network = network;
  }

  read(): State | undefined {
    return this.#stored === undefined ? undefined : JSON.parse(this.#stored);
  }

  forget(): void {
    this.#stored = undefined;
  }

  /** Makes the caller the only writer from now on. */
  open(): Writer<State> {
    return new Writer(this.#network, (state) => {
      this.#stored = state;
    });
  }
}

/** The writes of one copy of an object, and the messages that wait for them. */
export class Writer<State> {
  readonly #network: Network;
  readonly #store: (state: string) => void;
  #pending: string[] = [];
  #last = 0;
  #isDead = false;
  #isCutOff = false;
  #gates = 0;

  constructor(network: Network, store: (state: string) => void) {
    this.#network = network;
    this.#store = store;
  }

  /** True if no message waits for this write. */
  write(state: State, isAhead: boolean, done: () => void): void {
    const { events, random, writeMs } = this.#network;
    this.#pending.push(JSON.stringify(state));
    if (!isAhead) this.#gates++;
    if (this.#isDead || this.#isCutOff) return;
    this.#last = Math.max(events.now + Math.ceil(writeMs * (0.5 + random())), this.#last);
    events.in(this.#last - events.now, () => {
      if (this.#isDead || this.#isCutOff) return;
      this.#arrive(1);
      if (!isAhead) this.#gates--;
      done();
    });
  }

  /** Runs a function once all earlier writes are stored, as for a message. */
  flushed(run: () => void): void {
    if (this.#isDead) return;
    if (this.#gates === 0) run();
    else
      this.#network.events.in(this.#last - this.#network.events.now, () => {
        if (!this.#isDead && !this.#isCutOff) run();
      });
  }

  die(): void {
    this.cutOff();
    this.#isDead = true;
  }

  /** Silently loses all later writes, because another copy owns the storage. */
  cutOff(): void {
    if (!this.#isDead && !this.#isCutOff) this.#arrive(Math.floor(this.#network.random() * (this.#pending.length + 1)));
    this.#isCutOff = true;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  #arrive(count: number): void {
    for (const state of this.#pending.splice(0, count)) this.#store(state);
  }
}
