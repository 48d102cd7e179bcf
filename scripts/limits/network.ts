import type { Events } from "./events.ts";

/** Probabilities of faults in messages. */
export type Faults = { lost: number; twice: number; late: number };

export const NO_FAULTS: Faults = { lost: 0, twice: 0, late: 0 };

/** Messages between home and regions take half a round trip ± 30 %, if they arrive at all. */
export class Network {
  readonly events: Events;
  readonly random: () => number;
  readonly faults: Faults;
  readonly writeMs: number;
  readonly cutOff = new Set<string>();
  messages = 0;

  constructor(events: Events, random: () => number, faults: Faults, writeMs = 5) {
    this.events = events;
    this.random = random;
    this.faults = faults;
    this.writeMs = writeMs;
  }

  send(region: string, rttMs: number, deliver: () => void): void {
    if (this.cutOff.has(region) || this.#happens(this.faults.lost)) return;
    const copies = this.#happens(this.faults.twice) ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      const late = this.#happens(this.faults.late) ? 20_000 * this.random() : 0;
      this.events.in((rttMs / 2) * (0.7 + 0.6 * this.random()) + late, deliver);
    }
  }

  #happens(chance: number): boolean {
    return chance > 0 && this.random() < chance;
  }
}
