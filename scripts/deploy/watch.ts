import type { Figures, Source } from "./figures.ts";
import { answeringVersion, type Target } from "./health.ts";

/** Fewer failures than this are treated as chance. */
const LEAST_ERRORS = 3;
/** A share of failures that always counts as normal. */
const TOLERATED = 0.01;
/** A version is worse if its failure rate is this many times that of the other. */
const FACTOR = 2;

const LONGEST_PAUSE_MS = 30_000;
/** Number of consecutive requests to a version that may fail. */
const MOST_FAILED = 3;

const rateOf = ({ requests, errors }: Figures): number => errors / Math.max(1, requests);

/** True if the new version fails more often than the old one. */
const isWorse = (next: Figures, old: Figures): boolean =>
  next.errors >= LEAST_ERRORS && rateOf(next) > Math.max(TOLERATED, FACTOR * rateOf(old));

type WatchedDeployment = { target: Target; old: string; sources: Source[]; ms: number };

/** Watches a version for a time. Throws as soon as it fails more often than the old one, or does not respond. */
export async function watch({ target, old, sources, ms }: WatchedDeployment): Promise<void> {
  const since = Date.now();
  const endsAt = since + ms;
  const pause = Math.min(LONGEST_PAUSE_MS, ms / 4);
  let failed = 0;
  const unread = new Set<string>();
  while (Date.now() < endsAt || failed > 0) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const fault = await answeringVersion(target).then(
      () => null,
      (error: Error) => error.message,
    );
    failed = fault === null ? 0 : failed + 1;
    if (failed === MOST_FAILED) throw new Error(`/health failed ${failed} times in a row: ${fault}`);
    for (const source of sources) {
      try {
        await compare(source, target.versionId, old, since, Date.now() >= endsAt);
      } catch (error) {
        if (error instanceof Worse) throw error;
        if (!unread.has(source.name)) console.log(`            cannot read the ${source.name}: ${firstLine(error)}`);
        unread.add(source.name);
      }
    }
  }
}

/** The new version fails more often. */
class Worse extends Error {}

async function compare(source: Source, next: string, old: string, since: number, isLast: boolean): Promise<void> {
  const figures = await source.read([next, old], since);
  const [now, before] = [next, old].map((id) => figures.get(id) ?? { requests: 0, errors: 0 }) as [Figures, Figures];
  const words = `${inWords(now)} failed; of the old version ${inWords(before)} (${source.name})`;
  if (isWorse(now, before)) throw new Worse(`${words}`);
  if (isLast) console.log(`            ${words}`);
}

const inWords = ({ requests, errors }: Figures): string => `${errors} of ${requests} requests`;

const firstLine = (error: unknown): string =>
  String(error instanceof Error ? error.message : error).split("\n")[0] ?? "";
