import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { AppEnv } from "../env.ts";
import { ApiError, badRequest, unavailable } from "../errors.ts";
import { failure } from "./envelope.ts";
import { logFault } from "./log.ts";
import { isOutage } from "./outage.ts";

/** The one place where anything thrown becomes an answer. What is our fault is logged, and says nothing of its cause. */
export function onError(error: Error, c: Context<AppEnv>): Response {
  const answer = toApiError(error);
  if (answer.status >= 500) logFault(answer.message, error, { request_id: c.var.requestId });
  return failure(c, answer);
}

function toApiError(error: Error): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof HTTPException && error.status === 400) return badRequest({ body: ["must be JSON"] });
  if (isOutage(error)) return unavailable();
  return new ApiError(500, "Something went wrong on our side");
}
