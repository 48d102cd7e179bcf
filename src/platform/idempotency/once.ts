import { createMiddleware } from "hono/factory";
import * as z from "zod";
import { ApiError, conflict, fieldError } from "../../domain/errors.ts";
import { documented } from "../../domain/fields.ts";
import { type AuthorClaim, type Caller, callerName, type WriteContext, writeContextOf } from "../auth/caller.ts";
import type { AppEnv } from "../auth/gates.ts";
import { describeRoute } from "../http/route-description.ts";
import { valid } from "../http/validate.ts";
import { findStoredResponse, isSameRequest, type StoredResponse, unsealAnswer } from "./claims.ts";

/**
 * The part of a Context that `once` needs, independent of variables that gates add. `idempotent` on the route's line
 * sets the key.
 */
type ClaimContext<Who extends Caller = Caller> = {
  env: Env;
  req: { method: string; path: string; raw: Request };
  var: AppEnv["Variables"] & { caller: Who; idempotencyKey: string | undefined };
  header: (name: string, value: string) => void;
};

/**
 * Performs a request, or returns the response of an earlier request with the same Idempotency-Key. `act` passes its context
 * to the single batch that writes (`writeOnce`), which stores the response along with its writes: nothing is looked up unless
 * `act` is refused, and refusals are not stored. `asked` is the content of the request, or reads it from an upload;
 * `anonymous` names callers without a credential.
 */
export async function once<Answer, Who extends Caller>(
  c: ClaimContext<Who>,
  asked: unknown,
  act: (ctx: WriteContext<Who>) => Promise<Answer>,
  anonymous?: string,
): Promise<Answer> {
  const claim = claimOf(c, asked, anonymous);
  const ctx = writeContextOf(c);
  const author = { ...ctx.author, claim };
  try {
    return await act({ ...ctx, author });
  } catch (error) {
    const stored = error instanceof ApiError && claim && (await findStoredResponse(c.var.db, claim, author.now));
    if (!stored) throw error;
    const answer = await replayStored(stored, claim);
    c.header("Idempotent-Replayed", "true");
    return answer;
  }
}

function claimOf({ req, var: { caller, idempotencyKey, settings } }: ClaimContext, asked: unknown, anonymous?: string) {
  if (idempotencyKey === undefined) return undefined;
  const name = callerName(caller);
  return {
    caller: caller.kind === "anonymous" && anonymous !== undefined ? `${name}:${anonymous}` : name,
    key: idempotencyKey,
    asked: async () => [req.method, req.path, typeof asked === "function" ? await asked() : asked],
    secrets: settings.linkSecrets,
  };
}

/** Returns the stored response, or throws a 409 if the key was used for something else. */
export async function replayStored({ fingerprint, answer, sealed }: StoredResponse, claim: AuthorClaim) {
  if (await isSameRequest(claim, fingerprint)) {
    return { ...JSON.parse(answer), ...(sealed !== null && unsealAnswer(claim, sealed)) };
  }
  throw conflict(
    "idempotency_key_reused",
    "This Idempotency-Key was used for another request",
    fieldError("idempotency-key", "idempotency_key_reused", "belongs to another request"),
  );
}

/** Unquoted, or quoted as in the draft RFC. */
const IdempotencyHeaders = z.object({
  "idempotency-key": z
    .string()
    .transform((text) => text.replace(/^"(.*)"$/, "$1"))
    .pipe(z.string().regex(/^[\x20-\x7e]{1,255}$/, "must be 1 to 255 printable ASCII characters"))
    .meta(documented({ type: "string", pattern: "^[\\x20-\\x7e]{1,255}$" }))
    .optional()
    .describe(
      "A unique value, such as a UUID. Repeating the same request with it within 24 hours returns the first response and does nothing twice",
    ),
});

/** Reads the key of a header. Undefined without the header. */
export const readIdempotencyKey = (header: string | undefined): string | undefined =>
  valid(IdempotencyHeaders, { "idempotency-key": header })["idempotency-key"];

/** Reads the `Idempotency-Key` of a route that creates or changes something, for `once`. */
export const idempotent = describeRoute(
  createMiddleware<AppEnv & { Variables: { idempotencyKey: string | undefined } }>(async (c, next) => {
    c.set("idempotencyKey", readIdempotencyKey(c.req.header("Idempotency-Key")));
    await next();
  }),
  { reads: [{ target: "header", schema: IdempotencyHeaders }], idempotent: true },
);
