import { DurableObject } from "cloudflare:workers";
import { logFault } from "../../http/log.ts";
import { withTimeout } from "../ask-limiter.ts";
import { type BooksState, HomeBooks, type RegionRecall } from "./home-books.ts";
import { type Ask, type Grant, RECALL_TIMEOUT_MS, type Recall, type Report, ROUNDS } from "./messages.ts";

const TIDIED_AFTER_MS = 3_660_000;

/** The home of a limiter shared by regions. It keeps the ledger of their shares. */
export abstract class HomeLimiter extends DurableObject<Env> {
  #books = new HomeBooks();
  readonly #recalls = new Map<string, Promise<void>>();
  #tidying = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      this.#books = HomeBooks.restore((await ctx.storage.get<BooksState>("books")) ?? []);
      this.#tidying = (await ctx.storage.getAlarm()) !== null;
    });
  }

  /** The current limit. 0 if the limiter no longer exists, so that nothing is granted. */
  protected abstract limit(): Promise<number>;
  protected abstract recallFrom(region: string, recall: Recall): Promise<Report>;

  /** Regions that used the limiter within the last hour, or still may. */
  protected get regions(): string[] {
    return this.#books.regions(Date.now());
  }

  async ask(region: string, ask: Ask): Promise<Grant> {
    const limit = await this.limit();
    this.#books.hear(region, ask, Date.now());
    for (let round = 1; round <= (ask.waiting > 0 ? ROUNDS : 1); round++) {
      const recalls = this.#books.recallsFor(ask, round, limit, Date.now());
      if (recalls.length === 0) break;
      await Promise.all(recalls.map((recall) => this.#recall(recall)));
    }
    const grant = this.#books.grant(ask, limit, Date.now());
    this.#store();
    return grant;
  }

  /** A region returns its share. */
  giveBack(region: string, report: Report): void {
    this.#books.hear(region, report, Date.now());
    this.#store();
  }

  override async alarm(): Promise<void> {
    this.#tidying = this.regions.length > 0;
    if (this.#tidying) await this.ctx.storage.setAlarm(Date.now() + TIDIED_AFTER_MS);
    else await this.ctx.storage.deleteAll();
  }

  /** Recalls from a region one at a time: further recalls wait for the first. */
  #recall(outgoing: RegionRecall): Promise<void> {
    const { id } = outgoing.recall;
    const recalling = this.#recalls.get(id) ?? this.#recallNow(outgoing).finally(() => this.#recalls.delete(id));
    this.#recalls.set(id, recalling);
    return recalling;
  }

  async #recallNow({ region, recall }: RegionRecall): Promise<void> {
    try {
      const report = await withTimeout(RECALL_TIMEOUT_MS, this.recallFrom(region, recall));
      this.#books.hear(region, report, Date.now());
    } catch (error) {
      logFault("rate limiter region unavailable; it keeps its share", error, { region });
      this.#books.noAnswer(recall.id, Date.now());
    }
  }

  /** A grant is sent only once it is stored: the platform's output gate holds it until then. */
  #store(): void {
    const state = this.#books.toStoreIfChanged();
    if (!state) return;
    void this.ctx.storage.put("books", state);
    if (this.#tidying) return;
    this.#tidying = true;
    void this.ctx.storage.setAlarm(Date.now() + TIDIED_AFTER_MS, { allowUnconfirmed: true });
  }
}
