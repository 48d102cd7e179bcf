import { mostReserved, RESERVED_MS, SKEW_MS } from "../../src/platform/rate-limit/reserved-window.ts";
import { ASK_TIMEOUT_MS, type Grant, type Recall, type Report } from "../../src/platform/rate-limit/shares/messages.ts";
import { type RegionResult, RegionShare, type RegionState } from "../../src/platform/rate-limit/shares/region-share.ts";
import { Disk, type Writer } from "./disk.ts";
import type { Home } from "./home.ts";
import type { Network } from "./network.ts";

const WINDOW_MS = 60_000;

export type Outcome = { at: number; region: string; waitedMs: number; isLocal: boolean };

type Request = { at: number; isLocal: boolean };

/** A copy of a region's object, until it dies. */
type Copy = {
  share: RegionShare;
  writer: Writer<RegionState>;
  clock: number;
  waiting: Request[];
  isAsking: boolean;
};

/** Requests that a restored window counts in excess, and their maximum: a tenth of the share for each death. */
export type Cost = { cost: number; most: number };

/** Longest delay until a request is forgotten: clocks differ, and a bucket is forgotten as a whole. */
const LATE_MS = SKEW_MS + WINDOW_MS / 60;

export type RegionOptions = { name: string; rttMs: number; skew: () => number; limit: () => number };

/** The object of a region, like ApiKeyLimiter: it counts, stores, and asks home when quota runs low. */
export class Region {
  readonly name: string;
  readonly #options: RegionOptions;
  readonly #network: Network;
  readonly #home: Home;
  readonly #disk: Disk<RegionState>;
  readonly #onAdmitted: (outcome: Outcome) => void;
  readonly #onRefused: (outcome: Outcome) => void;
  #copy: Copy | null = null;
  /** A replaced copy that has not noticed yet and still gets some requests. */
  #old: Copy | null = null;
  #ids = 0;
  /** Times at which requests were admitted, answered or not, and at which the object died, with the possible cost. */
  readonly #taken: number[] = [];
  readonly #ends: { at: number; most: number }[] = [];
  readonly costs: Cost[] = [];
  asks = 0;
  writes = 0;
  /** Time since which it has had unused capacity. */
  #unusedSince = Number.POSITIVE_INFINITY;

  constructor(
    options: RegionOptions,
    network: Network,
    home: Home,
    onAdmitted: (outcome: Outcome) => void,
    onRefused: (outcome: Outcome) => void,
  ) {
    this.name = options.name;
    this.#options = options;
    this.#network = network;
    this.#home = home;
    this.#disk = new Disk(network);
    this.#onAdmitted = onAdmitted;
    this.#onRefused = onRefused;
    home.join(this);
  }

  request(): void {
    this.#take(this.#reached(), { at: this.#network.events.now, isLocal: true });
  }

  die(): void {
    this.#old?.writer.die();
    this.#copy?.writer.die();
    this.#old = null;
    this.#copy = null;
  }

  /** The object starts elsewhere while the old copy continues, cut off from its storage. */
  split(): void {
    this.#old?.writer.die();
    this.#copy?.writer.cutOff();
    this.#old = this.#copy;
    this.#copy = null;
  }

  /** The idle object returns its quota and forgets everything. */
  retire(): void {
    const copy = this.#open();
    if (!copy.share.retire(this.#nowOf(copy))) return;
    this.#store(copy);
    const report = copy.share.report(this.#nowOf(copy));
    copy.writer.flushed(() => {
      this.#network.send(this.name, this.#options.rttMs, () => this.#home.hear(this.name, report));
      if (copy !== this.#copy || copy.share.share > 0) return;
      this.die();
      this.#disk.forget();
    });
  }

  recall(recall: Recall, answer: (report: Report) => void): void {
    const { rttMs } = this.#options;
    this.#network.send(this.name, rttMs, () => {
      const copy = this.#reached();
      const report = copy.share.giveBack(recall, this.#nowOf(copy));
      this.#store(copy);
      this.#look(copy);
      copy.writer.flushed(() => this.#network.send(this.name, rttMs, () => answer(report)));
    });
  }

  /** Milliseconds for which it has had unused quota. */
  unusedForMs(): number {
    if (!this.#copy) return 0;
    this.#look(this.#copy);
    return this.#network.events.now - this.#unusedSince;
  }

  #reached(): Copy {
    return this.#old && this.#network.random() < 0.5 ? this.#old : this.#open();
  }

  #open(): Copy {
    if (this.#copy) return this.#copy;
    const state = this.#disk.read();
    const newId = () => `${this.name}-${++this.#ids}`;
    const clock = this.#options.skew();
    const now = this.#network.events.now + clock;
    const share = state ? RegionShare.restore(WINDOW_MS, now, newId, state) : new RegionShare(WINDOW_MS, newId);
    this.#copy = { share, writer: this.#disk.open(), clock, waiting: [], isAsking: false };
    if (state) this.#book(share, now);
    return this.#copy;
  }

  /** Each death extends the counting of earlier requests by the maximum clock difference. */
  #book(share: RegionShare, now: number): void {
    const { now: at } = this.#network.events;
    this.#ends.push({ at, most: mostReserved(share.share) });
    const recent = this.#ends.filter((end) => end.at > at - 2 * WINDOW_MS);
    const spanMs = WINDOW_MS + LATE_MS + recent.length * SKEW_MS;
    const made = this.#taken.filter((taken) => taken > at - spanMs).length;
    const counting = recent.filter((end) => end.at > at - spanMs - RESERVED_MS);
    this.costs.push({
      cost: share.report(now).used - made,
      most: counting.reduce((sum, { most }) => sum + most, 0),
    });
  }

  #nowOf({ clock }: Copy): number {
    return this.#network.events.now + clock;
  }

  #take(copy: Copy, request: Request): void {
    const taken = copy.share.take(this.#options.limit(), this.#nowOf(copy));
    if (taken.write !== "none" || copy.share.isUnstored)
      this.#store(copy, taken.write === "ahead" && !copy.share.isUnstored);
    this.#look(copy);
    if (taken.admitted) this.#taken.push(this.#network.events.now);
    if (taken.ask === "first") copy.waiting.push({ ...request, isLocal: false });
    else this.#answer(copy, request, taken);
    if (taken.ask !== "no") this.#ask(copy);
  }

  /** No response leaves before earlier writes are stored, except writes marked as ahead of time. */
  #answer(copy: Copy, request: Request, { admitted }: RegionResult): void {
    const at = this.#network.events.now;
    const answer = () => {
      const waitedMs = this.#network.events.now - request.at;
      const outcome = { at, region: this.name, waitedMs, isLocal: request.isLocal };
      if (admitted) this.#onAdmitted(outcome);
      else this.#onRefused(outcome);
    };
    copy.writer.flushed(answer);
  }

  #store(copy: Copy, isAhead = false): void {
    const state = copy.share.toStore(this.#nowOf(copy));
    copy.writer.write(state, isAhead, () => copy.share.confirm(state));
    this.writes++;
  }

  #ask(copy: Copy): void {
    if (copy.isAsking) return;
    copy.isAsking = true;
    this.asks++;
    const { rttMs } = this.#options;
    const ask = copy.share.ask(copy.waiting.length, this.#nowOf(copy));
    let isOver = false;
    const end = (grant: Grant | null) => {
      if (copy.writer.isDead) return;
      if (grant) copy.share.accept(grant, this.#nowOf(copy));
      if (isOver) return;
      isOver = true;
      copy.isAsking = false;
      if (!grant) copy.share.noAnswer(this.#nowOf(copy));
      this.#look(copy);
      for (const request of copy.waiting.splice(0)) this.#take(copy, request);
    };
    this.#network.events.in(ASK_TIMEOUT_MS, () => isOver || end(null));
    copy.writer.flushed(() =>
      this.#network.send(this.name, rttMs, () =>
        this.#home.ask(this.name, ask, (grant) => this.#network.send(this.name, rttMs, () => end(grant))),
      ),
    );
  }

  #look(copy: Copy): void {
    if (copy !== this.#copy) return;
    const { now } = this.#network.events;
    const { granted, given, used, freesInMs } = copy.share.report(this.#nowOf(copy));
    if (granted - given - used > 0) this.#unusedSince = Math.min(this.#unusedSince, now);
    else this.#unusedSince = now + freesInMs;
  }
}
