import { isReservedDomain } from "../../domain/email.ts";
import { badRequest, type FieldError, fieldError } from "../../domain/errors.ts";
import type { Settings } from "./settings.ts";

type Choice = Pick<Settings, "allowsReservedDomains">;

/** The error for a new address at a reserved domain. Null if the address is allowed. */
export const reservedDomainError = (
  { allowsReservedDomains }: Choice,
  email: string,
  field = "email",
): FieldError | null =>
  !allowsReservedDomains && isReservedDomain(email)
    ? fieldError(field, "invalid", "belongs to a domain that is reserved for examples and tests")
    : null;

/** Refuses a new address of an account or guest if its domain is reserved. */
export function refuseReservedDomain(settings: Choice, email: string, field?: string): void {
  const error = reservedDomainError(settings, email, field);
  if (error) throw badRequest(error);
}
