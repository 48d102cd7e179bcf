import type { Context, Env } from "hono";
import { HTTPException } from "hono/http-exception";
import { ApiError, badRequest, fieldError, unavailable, valueTooLarge } from "../../domain/errors.ts";
import { DevelopmentError } from "../settings/misconfigured.ts";
import { isOutage, isTooBig, logFault } from "./log.ts";

type Answer<E extends Env> = (c: Context<E>, error: ApiError) => Response | Promise<Response>;

/** The single place where thrown errors become responses, written by `answer`. */
export const onError =
  <E extends { Variables: { requestId: string } }>(answer: Answer<E>) =>
  (thrown: Error, c: Context<E>): Response | Promise<Response> =>
    answer(c, reportedError(thrown, c.var.requestId));

/** The form of an error that callers see. Faults are logged, and their cause is hidden outside of development. */
export function reportedError(thrown: Error, requestId: string): ApiError {
  const error = toApiError(thrown);
  if (error.status >= 500 || isTooBig(thrown)) logFault(error.message, thrown, { request_id: requestId });
  return error;
}

function toApiError(error: Error): ApiError {
  if (error instanceof ApiError) return error;
  // Drizzle wraps errors of a single statement.
  if (error.cause instanceof ApiError) return error.cause;
  if (error instanceof HTTPException && error.status === 400)
    return badRequest(fieldError("body", "invalid_json", "must be JSON"));
  if (isTooBig(error)) return valueTooLarge();
  if (isOutage(error)) return unavailable();
  const message = error instanceof DevelopmentError ? error.message : "An unexpected error occurred";
  return new ApiError(500, "internal_error", message);
}
