import { ApiError, tooManyRequests } from "../../../domain/errors.ts";
import type { ApiKeyCaller, UserCaller } from "../../../platform/auth/caller.ts";
import { type AddressedRequest, clientAddress } from "../../../platform/auth/client.ts";
import { inBackground } from "../../../platform/http/background.ts";
import { type Attempter, takeAttempts } from "../../../platform/rate-limit/counting.ts";
import { secondsToReset } from "../../../platform/rate-limit/limiter.ts";

type Guesser = AddressedRequest &
  Parameters<typeof inBackground>[0] & { env: Env; var: { caller: UserCaller | ApiKeyCaller } };

type Problems = readonly { code: string }[];

/**
 * Runs an action that names discount codes. Each code counts as a guess unless it exists; a caller without guesses left is
 * refused before the action runs. `problemsOf` extracts the problems from an answer; an error carries its own.
 */
export async function guessing<Answer>(
  c: Guesser,
  sent: readonly string[] = [],
  act: () => Promise<Answer>,
  problemsOf: (answer: Answer) => Problems = () => [],
): Promise<Answer> {
  const later = (work: Promise<void>) => inBackground(c, "give guesses of discount codes back", work);
  return guessingBy({ env: c.env, by: guesserOf(c), later }, sent, act, problemsOf);
}

type GuessPolicy = "discount-codes" | "shared-discount-codes";

/** The counted sender of guesses, and a function for work after the response. */
type GuessContext = { env: Env; by: [GuessPolicy, Attempter]; later: (work: Promise<void>) => unknown };

/** Like `guessing`, for a sender that does not call the API. */
export async function guessingBy<Answer>(
  { env, by, later }: GuessContext,
  sent: readonly string[],
  act: () => Promise<Answer>,
  problemsOf: (answer: Answer) => Problems,
): Promise<Answer> {
  const codes = new Set(sent).size;
  if (codes === 0) return act();
  const { count, giveBack } = await takeAttempts(env, ...by, codes);
  if (count?.admitted === false) throw tooManyRequests(secondsToReset(count));
  const settle = async (problems: Problems) => {
    const right = codes - problems.filter(({ code }) => code === "unknown_discount_code").length;
    if (right > 0) await later(giveBack(right));
  };
  try {
    const answer = await act();
    await settle(problemsOf(answer));
    return answer;
  } catch (error) {
    await settle(error instanceof ApiError ? error.fields : []);
    throw error;
  }
}

/**
 * Counts a user's guesses by account, and those of an API key's shopper by the client address it forwards, or else together
 * with all others of the key.
 */
function guesserOf(c: Guesser): [GuessPolicy, Attempter] {
  const { caller } = c.var;
  if (caller.kind === "user") return ["discount-codes", { account: `user:${caller.id}` }];
  const address = clientAddress(c);
  if (address !== undefined) return ["discount-codes", { address }];
  return ["shared-discount-codes", { account: `api_key:${caller.id}` }];
}
