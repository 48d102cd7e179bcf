import { DurableObject } from "cloudflare:workers";
import { logFault } from "../../http/log.ts";
import { storeReservation, withTimeout } from "../ask-limiter.ts";
import type { Count } from "../limiter.ts";
import { nameOf } from "../object-name.ts";
import { type Policy, policies } from "../policies.ts";
import { RESERVED_MS } from "../reserved-window.ts";
import { UsageCounter, type UsageMinute, type UsageState } from "../usage.ts";
import { ASK_TIMEOUT_MS, type Ask, type Grant, type Recall, type Report } from "./messages.ts";
import { type RegionResult, RegionShare, type RegionState } from "./region-share.ts";

const WINDOW_MS = 60_000;

/** Milliseconds between checks for use. An idle region returns its share. */
const IDLE_MS = 300_000;

/** An hour of usage and a minute. */
const USAGE_KEPT_MS = 3_660_000;

/** All stored state in one value, for a single write. */
export type StoredRegion = { share: RegionState; usage: UsageState };

const newId = () => crypto.randomUUID();

/** The limiter of a region. It asks `home` only when its share runs low. Named `<home>@<region>`. */
export abstract class RegionLimiter extends DurableObject<Env> {
  protected readonly home: string;
  protected readonly region: string;
  #share = new RegionShare(WINDOW_MS, newId);
  #usage = new UsageCounter();
  #asking: Promise<void> | undefined;
  #waiting = 0;
  #settling = false;
  #tidying = false;
  /** True if usage was counted since the last write. */
  #isCounted = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    [this.home = "", this.region = ""] = nameOf(ctx).split("@");
    ctx.blockConcurrencyWhile(async () => {
      const stored = await ctx.storage.get<StoredRegion>("region");
      if (stored) {
        this.#share = RegionShare.restore(WINDOW_MS, Date.now(), newId, stored.share);
        this.#usage = UsageCounter.restore(stored.usage);
      }
      this.#tidying = (await ctx.storage.getAlarm()) !== null;
    });
  }

  protected abstract askHome(ask: Ask): Promise<Grant>;
  protected abstract tellHome(report: Report): Promise<void>;

  protected async count(policy: Policy): Promise<Count> {
    const { limit } = policies[policy];
    let taken = this.#take(limit);
    while (taken.ask === "first") {
      this.#waiting++;
      await this.#askOnce();
      this.#waiting--;
      taken = this.#take(limit);
    }
    if (taken.ask === "ahead") this.ctx.waitUntil(this.#askOnce());
    const { admitted, remaining, resetMs } = taken;
    this.#usage.add(admitted, Date.now());
    this.#isCounted = true;
    this.#settleLater();
    return { policy, admitted, remaining, resetMs };
  }

  /** Registers this region with home, so that it is notified of changes without counting. */
  protected async introduce(): Promise<void> {
    try {
      await withTimeout(ASK_TIMEOUT_MS, this.tellHome(this.#share.report(Date.now())));
    } catch (error) {
      logFault("the home of a limiter was not told of a region: it sees changes within a minute", error);
    }
  }

  /** Handles home's request for unused quota. */
  recall(recall: Recall): Report {
    const report = this.#share.giveBack(recall, Date.now());
    this.#store(false);
    return report;
  }

  lastHour(): UsageMinute[] {
    return this.#usage.report(Date.now());
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    const isIdle = this.#share.retire(now) && (await this.#giveUp());
    if (isIdle && this.#usage.isEmpty(now) && this.#share.share === 0) {
      this.#share = new RegionShare(WINDOW_MS, newId);
      this.#tidying = false;
      await this.ctx.storage.deleteAll();
    } else await this.ctx.storage.setAlarm(now + (isIdle ? USAGE_KEPT_MS : IDLE_MS));
  }

  #take(limit: number): RegionResult {
    const taken = this.#share.take(limit, Date.now());
    if (this.#share.isUnstored) this.#store(false);
    else if (taken.write !== "none") this.#store(taken.write === "ahead");
    return taken;
  }

  #askOnce(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<void> {
    const share = this.#share;
    try {
      share.accept(await withTimeout(ASK_TIMEOUT_MS, this.askHome(share.ask(this.#waiting, Date.now()))), Date.now());
    } catch (error) {
      logFault("the home of a limiter did not answer: the region goes on with its share", error);
      share.noAnswer(Date.now());
    }
  }

  /** True if home was told that this region returned everything. */
  async #giveUp(): Promise<boolean> {
    this.#store(false);
    try {
      await withTimeout(ASK_TIMEOUT_MS, this.tellHome(this.#share.report(Date.now())));
      return true;
    } catch (error) {
      logFault("the home of a limiter was not told that a region is idle: it is told again", error);
      return false;
    }
  }

  #store(isAhead: boolean): void {
    const now = Date.now();
    const share = this.#share;
    const state = share.toStore(now);
    const stored: StoredRegion = { share: state, usage: this.#usage.state };
    storeReservation(this.ctx, "region", stored, isAhead, () => share.confirm(state));
    this.#isCounted = false;
    if (this.#tidying) return;
    this.#tidying = true;
    void this.ctx.storage.setAlarm(now + IDLE_MS, { allowUnconfirmed: true });
  }

  #settleLater(): void {
    if (this.#settling) return;
    this.#settling = true;
    const restMs = this.#share.reservedUntil + 1 - Date.now();
    const waitMs = restMs > 0 ? Math.min(restMs, RESERVED_MS) : RESERVED_MS;
    this.ctx.waitUntil(scheduler.wait(waitMs).then(() => this.#settle()));
  }

  /** Stores the actual usage once the last reservation has expired. */
  #settle(): void {
    this.#settling = false;
    if (Date.now() <= this.#share.reservedUntil) this.#settleLater();
    else if (this.#isCounted || this.#share.needsSettling) this.#store(true);
  }
}
