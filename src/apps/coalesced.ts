/** Milliseconds between two runs. Under load, one run serves every request made in between. */
const PAUSE_MS = 200;

/** Maximum milliseconds of a run, because the request that started it ends. The schedule does the rest. */
const LONGEST_MS = 20_000;

/**
 * Runs one task at a time in this isolate. Calls made during a run share the next one, unless the run answers false because its
 * request can do no more: then the next call begins anew.
 */
export function coalesced<Argument>(run: (argument: Argument) => Promise<unknown>) {
  let startedAt: number | null = null;
  let askedAgain = false;

  return async (argument: Argument): Promise<void> => {
    const now = Date.now();
    askedAgain = true;
    if (startedAt !== null && now - startedAt < LONGEST_MS) return;
    startedAt = now;
    try {
      while (askedAgain && Date.now() - now < LONGEST_MS) {
        askedAgain = false;
        if ((await run(argument)) === false) return;
        if (askedAgain) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    } finally {
      startedAt = null;
    }
  };
}
