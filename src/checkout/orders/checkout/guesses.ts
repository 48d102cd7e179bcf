import { ApiError, tooManyRequests } from "../../../domain/errors.ts";
import type { ApiKeyCaller, UserCaller } from "../../../platform/auth/caller.ts";
import { type AddressedRequest, clientAddress } from "../../../platform/auth/client-address.ts";
import { inBackground } from "../../../platform/http/background.ts";
import { type Attempter, takeAttempts } from "../../../platform/rate-limit/address-limiter.ts";
import { secondsToReset } from "../../../platform/rate-limit/headers.ts";

type Guesser = AddressedRequest &
  Parameters<typeof inBackground>[0] & { env: Env; var: { caller: UserCaller | ApiKeyCaller } };

type Problems = readonly { code: string }[];

/**
 * Does what names discount codes, each of which is a guess until it turns out to be a code: whoever has no guess left learns
 * nothing more. `problemsOf` is what an answer says is wrong; an error says so itself.
 */
export async function guessing<Answer>(
  c: Guesser,
  sent: readonly string[] = [],
  act: () => Promise<Answer>,
  problemsOf: (answer: Answer) => Problems = () => [],
): Promise<Answer> {
  const codes = new Set(sent).size;
  if (codes === 0) return act();
  const { count, giveBack } = await takeAttempts(c.env, ...guesserOf(c), codes);
  if (count?.admitted === false) throw tooManyRequests(secondsToReset(count));
  const settle = (problems: Problems) => {
    const right = codes - problems.filter(({ code }) => code === "unknown_discount_code").length;
    if (right > 0) inBackground(c, "give guesses of discount codes back", giveBack(right));
  };
  try {
    const answer = await act();
    settle(problemsOf(answer));
    return answer;
  } catch (error) {
    settle(error instanceof ApiError ? error.fields : []);
    throw error;
  }
}

/** A user by the account; the shopper of an API key by the address that it passes on, or else with all its others. */
function guesserOf(c: Guesser): ["discount-codes" | "shared-discount-codes", Attempter] {
  const { caller } = c.var;
  if (caller.kind === "user") return ["discount-codes", { account: `user:${caller.id}` }];
  const address = clientAddress(c);
  if (address !== undefined) return ["discount-codes", { address }];
  return ["shared-discount-codes", { account: `api_key:${caller.id}` }];
}
