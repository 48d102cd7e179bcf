import type { Ask, Grant, Recall, Report } from "./messages.ts";

/** Home's stored state for each region: totals granted and given back. */
export type BooksState = [region: string, id: string, granted: number, given: number, heardAt: number][];

/** A recall and its region. */
export type RegionRecall = { region: string; recall: Recall };

/** `used` and `freesAt` are the region's last report. */
type Entry = {
  region: string;
  id: string;
  granted: number;
  given: number;
  heardAt: number;
  used: number;
  freesAt: number;
  silentUntil: number;
};

/** If home and a region know different limits, one of them is about to read the key again. */
const OTHER_LIMIT_MS = 1_000;

/** Milliseconds for which a region that did not respond is left alone. */
const SILENCE_MS = 5_000;

const WINDOW_MS = 60_000;

/** Milliseconds for which a region without a share is told of changes and counts as a user of the limiter. */
const REMEMBERED_MS = 3_720_000;

/**
 * Home's side of a limit shared by regions: the maximum that each may hold. The sum never exceeds the limit, because a
 * grant is recorded before it is sent, and returned quota counts only once the region reported it. Times are epoch
 * milliseconds of home's clock.
 */
export class HomeBooks {
  readonly #entries = new Map<string, Entry>();
  #isChanged = false;

  static restore(state: BooksState): HomeBooks {
    const books = new HomeBooks();
    for (const [region, id, granted, given, heardAt] of state) {
      books.#entries.set(id, { region, id, granted, given, heardAt, used: 0, freesAt: 0, silentUntil: 0 });
    }
    return books;
  }

  /** Records a region's report. */
  hear(region: string, report: Report, now: number): Entry {
    const { id, previous, granted, given, used, freesInMs } = report;
    if (previous !== null && this.#entries.delete(previous)) this.#isChanged = true;
    const known = this.#entries.get(id);
    if (known?.given !== given) this.#isChanged = true;
    const entry = known ?? { ...EMPTY, region, id, granted: given, given };
    entry.given = Math.max(entry.given, given);
    entry.granted = Math.max(entry.granted, entry.given);
    entry.used = used;
    entry.freesAt = granted - given > used ? now : now + freesInMs;
    entry.heardAt = now;
    entry.silentUntil = 0;
    this.#entries.set(id, entry);
    return entry;
  }

  /** Regions to recall quota from before granting `ask`. Empty if enough is free or no region has any to spare. */
  recallsFor(ask: Ask, round: number, limit: number, now: number): RegionRecall[] {
    const entry = this.#entries.get(ask.id);
    if (!entry || ask.limit !== limit) return [];
    const missing = this.#wanted(entry, ask, limit) - this.free(limit);
    if (missing <= 0 || (ask.waiting > 0 && this.free(limit) >= ask.waiting)) return [];
    const others = [...this.#entries.values()].filter((other) => other !== entry && now >= other.silentUntil);
    const likely = (other: Entry) => likelySpareOf(other, now);
    const [richest] = others.filter((other) => likely(other) > 1).toSorted((a, b) => likely(b) - likely(a));
    if (richest && spareOf(richest) >= Math.max(4, 2 * missing)) return [recall(richest, missing, "half")];
    if (ask.waiting === 0) return richest ? [recall(richest, missing, "half")] : [];
    return others
      .filter((other) => booked(other) > 0 && (spareOf(other) > 0 || other.freesAt <= now))
      .map((other) => recall(other, limit, round > 1 ? "all" : "half"));
  }

  /** Grants the available quota after the recalls. Must be stored before it is sent. */
  grant(ask: Ask, limit: number, now: number): Grant {
    const entry = this.#entries.get(ask.id);
    if (!entry) return { id: ask.id, granted: 0, retryMs: 1 };
    if (ask.limit !== limit) return { id: ask.id, granted: entry.granted, retryMs: OTHER_LIMIT_MS };
    const more = Math.max(0, Math.min(this.free(limit), this.#wanted(entry, ask, limit)));
    entry.granted += more;
    if (more > 0) this.#isChanged = true;
    return { id: ask.id, granted: entry.granted, retryMs: more > 0 || ask.waiting === 0 ? 0 : this.#retryMs(now) };
  }

  /** A region did not respond: it keeps its quota. */
  noAnswer(id: string, now: number): void {
    const entry = this.#entries.get(id);
    if (entry) entry.silentUntil = now + SILENCE_MS;
  }

  /** Regions that may hold a share or a record of the key, or did within the last hour. */
  regions(now: number): string[] {
    for (const [id, entry] of this.#entries) {
      if (booked(entry) === 0 && now - entry.heardAt > REMEMBERED_MS) {
        this.#entries.delete(id);
        this.#isChanged = true;
      }
    }
    return [...new Set([...this.#entries.values()].map(({ region }) => region))];
  }

  /** The state to store. Null if unchanged since it was last stored. */
  toStoreIfChanged(): BooksState | null {
    if (!this.#isChanged) return null;
    this.#isChanged = false;
    return [...this.#entries.values()].map(({ region, id, granted, given, heardAt }) => {
      return [region, id, granted, given, heardAt];
    });
  }

  /** Quota that no region holds. Negative while regions hold shares of a larger limit. */
  free(limit: number): number {
    let sum = 0;
    for (const entry of this.#entries.values()) sum += booked(entry);
    return limit - sum;
  }

  /** An equal share of all unused quota, or all of it if no other region has a share. */
  #wanted(entry: Entry, { waiting }: Ask, limit: number): number {
    const holders = [...this.#entries.values()].filter((other) => other === entry || booked(other) > 0);
    const unused = holders.reduce((sum, other) => sum + spareOf(other), Math.max(0, this.free(limit)));
    return Math.max(waiting, 1, Math.ceil(unused / holders.length) - spareOf(entry));
  }

  #retryMs(now: number): number {
    const times = [...this.#entries.values()]
      .filter((entry) => booked(entry) > 0)
      .map(({ freesAt, silentUntil }) => Math.max(freesAt, silentUntil) - now);
    return Math.max(0, Math.min(...times, WINDOW_MS));
  }
}

const EMPTY = { granted: 0, given: 0, heardAt: 0, used: 0, freesAt: 0, silentUntil: 0 };

const booked = ({ granted, given }: Entry): number => granted - given;
const spareOf = (entry: Entry): number => Math.max(0, booked(entry) - entry.used);

/** Estimated unused quota of a region. Like a random walk, it strays from the report by the root of the steps since. */
function likelySpareOf(entry: Entry, now: number): number {
  if (booked(entry) === 0 || entry.freesAt > now) return spareOf(entry);
  const forgotten = (entry.used * Math.min(WINDOW_MS, now - entry.heardAt)) / WINDOW_MS;
  return spareOf(entry) + 1.5 * Math.sqrt(forgotten);
}

const recall = ({ region, id, granted }: Entry, most: number, part: Recall["part"]): RegionRecall => ({
  region,
  recall: { id, granted, most, part },
});
