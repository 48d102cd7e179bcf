/** How long one waits for those before it: should one never end, the others go on. */
const PATIENCE_MS = 1_000;

let last: Promise<unknown> = Promise.resolve();

/**
 * Does work that keeps the database busy after what this isolate does of it already. The database answers one statement
 * after the other, so what is short, an order for one, waits for a single search and not for all that were sent at once.
 */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = atLast(last).then(work);
  last = mine.catch(() => undefined);
  return mine;
}

async function atLast(before: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([before, patience]);
  clearTimeout(timer);
}
