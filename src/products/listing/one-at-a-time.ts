/** The longest that one query holds the turn: if its request ends early, the others continue. */
const LONGEST_MS = 1_000;

/**
 * When the next query may run at the latest, in epoch milliseconds. `ended` resolves when `until` has been updated, and is
 * undefined from then on: a promise that never resolves would hold on to everybody who ever waited for it.
 */
type Turn = { until: number; ended: Promise<void> | undefined };

let turn: Turn = { until: 0, ended: undefined };

/**
 * Runs expensive queries one at a time, and leaves the database idle in between for as long as each took. D1 runs one
 * statement after the other, so a short one, such as an order, then waits for a single search and not for all that were sent
 * at once.
 */
export async function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  for (let wait = left(); wait > 0; wait = left()) await waitAtMost(wait, turn.ended);
  const began = Date.now();
  const ended = Promise.withResolvers<void>();
  const mine: Turn = { until: began + LONGEST_MS, ended: ended.promise };
  turn = mine;
  try {
    return await work();
  } finally {
    const now = Date.now();
    mine.until = Math.min(now + (now - began), began + LONGEST_MS);
    mine.ended = undefined;
    ended.resolve();
  }
}

const left = (): number => turn.until - Date.now();

/** Waits for so many milliseconds, or until it has ended. */
async function waitAtMost(ms: number, ended: Promise<void> | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const time = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await (ended ? Promise.race([ended, time]) : time);
  clearTimeout(timer);
}
