import { type ApiError, providerUnavailable } from "../../domain/errors.ts";

/** 503 for a provider that does not answer. `cause` is logged and never sent to the client; it must hold no secret. */
export const providerUnreachable = (provider: string, cause: string): ApiError =>
  Object.assign(providerUnavailable(provider), { cause: new Error(cause) });

/** The provider accepted a refund and could not carry it out. */
export class RefundFailed extends Error {}

/** Transient statuses: an equal request may succeed later. 409 is a request under the same key that is under way. */
export const isTransient = (status: number): boolean => status >= 500 || status === 429 || status === 409;
