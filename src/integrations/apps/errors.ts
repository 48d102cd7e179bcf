import { ApiError } from "../../domain/errors.ts";
import type { TokenResource } from "../../platform/db/schema.ts";

/** Errors of OAuth with their status outside of redirects (RFC 6749, sections 4.1.2.1 and 5.2; RFC 8707, section 2). */
const oauthErrors = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  access_denied: 403,
} as const;
export type OAuthErrorCode = keyof typeof oauthErrors;

/** Where an authorization response goes: an address that the client registered. */
export type ReturnAddress = { redirectUri: string; state: string | undefined };

/** `isTrusted` is true for a client that an administrator registered: anybody can be one that describes itself. */
type ErrorAddress = ReturnAddress & { isTrusted: boolean };

/** A refusal in the terms of OAuth. With `to` it is the client's to handle, otherwise only the person can be told. */
export class OAuthError extends ApiError {
  readonly oauthCode: OAuthErrorCode;
  readonly to: ErrorAddress | undefined;

  constructor(code: OAuthErrorCode, message: string, to?: ErrorAddress) {
    super(oauthErrors[code], "validation_failed", message);
    this.oauthCode = code;
    this.to = to;
  }
}

export const authorizationEnded = () =>
  new OAuthError("invalid_grant", "The authorization has ended. Ask the person again");

/** Refuses a resource for which the code or refresh token was not issued (RFC 8707, section 2.2). */
export function requireResource(issuedFor: TokenResource, asked: TokenResource | undefined): void {
  if (asked === undefined || asked === issuedFor) return;
  throw new OAuthError("invalid_target", `The authorization is only for ${issuedFor}`);
}
