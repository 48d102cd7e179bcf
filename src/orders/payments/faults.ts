import { type ApiError, providerUnavailable } from "../../errors.ts";

/** The provider cannot be asked for now. `cause` is logged, never told: it must hold no secret. */
export const outOfReach = (provider: string, cause: string): ApiError =>
  Object.assign(providerUnavailable(provider), { cause: new Error(cause) });

/** The provider took a refund on and could not carry it out. */
export class RefundFailed extends Error {}

/** Statuses that pass: the same request may go through later. 409 is a request under the same key that is under way. */
export const passes = (status: number): boolean => status >= 500 || status === 429 || status === 409;
