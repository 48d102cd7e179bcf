import { DurableObject } from "cloudflare:workers";
import { logFault } from "../../http/log.ts";
import { storeReservation, withTimeout } from "../ask-limiter.ts";
import type { Count } from "../counting.ts";
import { nameOf } from "../object-name.ts";
import { type Policy, policies } from "../policies.ts";
import { SETTLE_MS } from "../reserved-window.ts";
import { UsageCounter, type UsageMinute, type UsageState } from "../usage.ts";
import { ASK_TIMEOUT_MS, type Ask, type Grant, type Recall, type Report } from "./messages.ts";
import { RegionShare, type RegionState } from "./region-share.ts";

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
  #share = new RegionShare(WINDOW_MS, newId);
  #usage = new UsageCounter();
  #asking: Promise<void> | undefined;
  #waiting = 0;
  #alarmAt: number | null = null;
  /** True if usage was counted since the last write. */
  #isCounted = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      const stored = await ctx.storage.get<StoredRegion>("region");
      if (stored) {
        this.#share = RegionShare.restore(WINDOW_MS, Date.now(), newId, stored.share);
        this.#usage = UsageCounter.restore(stored.usage);
      }
      this.#alarmAt = await ctx.storage.getAlarm();
    });
  }

  protected get home(): string {
    return nameOf(this.ctx).split("@")[0] ?? "";
  }

  protected get region(): string {
    return nameOf(this.ctx).split("@")[1] ?? "";
  }

  protected abstract askHome(ask: Ask): Promise<Grant>;
  protected abstract tellHome(report: Report): Promise<void>;

  protected async count(policy: Policy): Promise<Count> {
    const { limit } = policies[policy];
    let taken = this.#share.take(limit, Date.now());
    while (taken.ask === "first") {
      if (this.#share.isUnstored) this.#store(false);
      this.#waiting++;
      await this.#askOnce();
      this.#waiting--;
      taken = this.#share.take(limit, Date.now());
    }
    const { admitted, remaining, resetMs, write } = taken;
    this.#usage.add(admitted, Date.now());
    this.#isCounted = true;
    if (this.#share.isUnstored) this.#store(false);
    else if (write !== "none") this.#store(write === "ahead");
    else this.#wakeIn(SETTLE_MS);
    if (taken.ask === "ahead") this.ctx.waitUntil(this.#askOnce());
    return { policy, admitted, remaining, resetMs };
  }

  /** Registers this region with home, so that it is notified of changes without counting. */
  protected async introduce(): Promise<void> {
    try {
      await withTimeout(ASK_TIMEOUT_MS, this.tellHome(this.#share.report(Date.now())));
    } catch (error) {
      logFault("rate limiter home not told of a region; it reads changes within a minute", error);
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

  /** Stores the actual usage once the last reservation has expired, and returns the share if nothing is in use. */
  override async alarm(): Promise<void> {
    const now = Date.now();
    this.#alarmAt = null;
    if (!this.#share.retire(now)) {
      if (this.#isUnsettled && now > this.#share.reservedUntil) this.#store(true);
      else this.#wakeIn(this.#isUnsettled ? SETTLE_MS : IDLE_MS);
      return;
    }
    const isTold = await this.#giveUp();
    if (isTold && this.#usage.isEmpty(now) && this.#share.share === 0) {
      this.#share = new RegionShare(WINDOW_MS, newId);
      this.#alarmAt = null;
      await this.ctx.storage.deleteAll();
    } else this.#wakeIn(isTold ? USAGE_KEPT_MS : IDLE_MS);
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
      logFault("rate limiter home unavailable; the region keeps its share", error);
      share.noAnswer(Date.now());
    }
  }

  /** True if home was told that this region returned everything. */
  async #giveUp(): Promise<boolean> {
    this.#put(false);
    try {
      await withTimeout(ASK_TIMEOUT_MS, this.tellHome(this.#share.report(Date.now())));
      return true;
    } catch (error) {
      logFault("rate limiter home not told of an idle region; it will be told again", error);
      return false;
    }
  }

  #store(isAhead: boolean): void {
    this.#put(isAhead);
    if (this.#isUnsettled) this.#wakeIn(SETTLE_MS);
    else if (this.#alarmAt === null) this.#wakeIn(IDLE_MS);
  }

  #put(isAhead: boolean): void {
    const share = this.#share;
    const state = share.toStore(Date.now());
    const stored: StoredRegion = { share: state, usage: this.#usage.state };
    storeReservation(this.ctx, "region", stored, isAhead, () => share.confirm(state));
    this.#isCounted = false;
  }

  /** True if the stored state differs from the actual usage. */
  get #isUnsettled(): boolean {
    return this.#isCounted || this.#share.needsSettling;
  }

  /** Sets the alarm, unless it fires sooner. */
  #wakeIn(ms: number): void {
    const at = Date.now() + ms;
    if (this.#alarmAt !== null && this.#alarmAt <= at) return;
    this.#alarmAt = at;
    void this.ctx.storage.setAlarm(at, { allowUnconfirmed: true });
  }
}
