import type { Network } from "./network.ts";

/**
 * An object's storage: writes arrive in order, a few milliseconds later. When the object dies, those under way arrive or do
 * not, the later ones never before the earlier ones. A copy that was replaced writes to nowhere.
 */
export class Disk<State> {
  readonly #network: Network;
  #stored: State | undefined;

  constructor(network: Network) {
    this.#network = network;
  }

  read(): State | undefined {
    return this.#stored && structuredClone(this.#stored);
  }

  forget(): void {
    this.#stored = undefined;
  }

  /** The only one who may write from now on. */
  open(): Writer<State> {
    return new Writer(this.#network, (state) => {
      this.#stored = state;
    });
  }
}

/** The writes of one copy of an object, and what has to wait for them. */
export class Writer<State> {
  readonly #network: Network;
  readonly #store: (state: State) => void;
  #pending: State[] = [];
  #last = 0;
  #isDead = false;
  #isCutOff = false;
  #gates = 0;

  constructor(network: Network, store: (state: State) => void) {
    this.#network = network;
    this.#store = store;
  }

  /** `isAhead` is what no message has to wait for. */
  write(state: State, isAhead: boolean, done: () => void): void {
    const { events, random, writeMs } = this.#network;
    this.#pending.push(structuredClone(state));
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

  /** Runs once all is stored that was written until now: no message leaves earlier. */
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

  /** From now on it writes to nowhere, without knowing: another copy has the storage. */
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
