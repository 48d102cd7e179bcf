/** Under load a run serves all who asked meanwhile: the next one waits as long, in milliseconds. */
const PAUSE_MS = 200;

/** No run goes on for longer, since the request that it was begun by ends; the schedule does what is left. */
const LONGEST_MS = 20_000;

/** Runs something one at a time in this isolate: who asks during a run has one after it, together with all who do. */
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
        await run(argument);
        if (askedAgain) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    } finally {
      startedAt = null;
    }
  };
}
