import { type BooksState, HomeBooks, type RegionRecall } from "../../src/platform/rate-limit/shares/home-books.ts";
import {
  type Ask,
  type Grant,
  RECALL_TIMEOUT_MS,
  type Recall,
  type Report,
  ROUNDS,
} from "../../src/platform/rate-limit/shares/messages.ts";
import { Disk, type Writer } from "./disk.ts";
import type { Network } from "./network.ts";

/** A region as its home calls it. */
type Member = { readonly name: string; recall(recall: Recall, hear: (report: Report) => void): void };

/** The object that keeps the ledger of shares, like ApiKeyHome: it recalls missing quota, grants, stores and responds. */
export class Home {
  readonly #network: Network;
  readonly #disk: Disk<BooksState>;
  readonly #limit: () => number;
  readonly #skew: () => number;
  readonly #regions = new Map<string, Member>();
  readonly #recalls = new Map<string, (() => void)[]>();
  #books = new HomeBooks();
  #writer: Writer<BooksState>;
  #clock = 0;
  recalls = 0;
  #freeSince = 0;

  constructor(network: Network, limit: () => number, skew: () => number) {
    this.#network = network;
    this.#limit = limit;
    this.#skew = skew;
    this.#disk = new Disk(network);
    this.#writer = this.#disk.open();
    this.#clock = skew();
  }

  join(region: Member): void {
    this.#regions.set(region.name, region);
  }

  die(): void {
    this.#writer.die();
    this.#writer = this.#disk.open();
    this.#books = HomeBooks.restore(this.#disk.read() ?? []);
    this.#recalls.clear();
    this.#clock = this.#skew();
  }

  /** Milliseconds for which it has had quota that no region has. */
  freeForMs(): number {
    this.#look();
    return this.#network.events.now - this.#freeSince;
  }

  #look(): void {
    const isFree = this.#books.free(this.#limit()) > 0;
    this.#freeSince = isFree ? Math.min(this.#freeSince, this.#network.events.now) : Number.POSITIVE_INFINITY;
  }

  get #now(): number {
    return this.#network.events.now + this.#clock;
  }

  ask(region: string, ask: Ask, answer: (grant: Grant) => void): void {
    const books = this.#books;
    books.hear(region, ask, this.#now);
    const round = (rounds: number) => {
      if (this.#books !== books) return;
      const outgoing =
        rounds <= (ask.waiting > 0 ? ROUNDS : 1) ? books.recallsFor(ask, rounds, this.#limit(), this.#now) : [];
      let waiting = outgoing.length;
      for (const recall of outgoing) this.#recall(recall, () => --waiting === 0 && round(rounds + 1));
      if (outgoing.length > 0) return;
      const granted = books.grant(ask, this.#limit(), this.#now);
      this.#look();
      const state = books.toStoreIfChanged();
      if (state) this.#writer.write(state, false, () => undefined);
      this.#writer.flushed(() => answer(granted));
    };
    round(1);
  }

  /** Recalls from a region one at a time: further recalls wait for the first. */
  #recall({ region, recall }: RegionRecall, done: () => void): void {
    const books = this.#books;
    const under = this.#recalls.get(recall.id);
    if (under) {
      under.push(done);
      return;
    }
    this.#recalls.set(recall.id, [done]);
    const end = () => {
      if (this.#books !== books) return;
      const waiting = this.#recalls.get(recall.id) ?? [];
      this.#recalls.delete(recall.id);
      for (const each of waiting) each();
    };
    let isOver = false;
    const hear = (report: Report) => {
      if (this.#books !== books) return;
      books.hear(region, report, this.#now);
      this.#look();
      if (!isOver) end();
      isOver = true;
    };
    this.recalls++;
    this.#network.events.in(RECALL_TIMEOUT_MS, () => {
      if (isOver) return;
      isOver = true;
      books.noAnswer(recall.id, this.#now);
      end();
    });
    this.#writer.flushed(() => this.#regions.get(region)?.recall(recall, hear));
  }

  hear(region: string, report: Report): void {
    this.#books.hear(region, report, this.#now);
  }
}
