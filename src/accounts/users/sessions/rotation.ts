/** The last refresh token of a session lives this long. */
export const REFRESH_TOKEN_MS = 30 * 24 * 60 * 60 * 1000;

/** However often it is refreshed, a session ends for good after this long. */
export const SESSION_MS = 90 * 24 * 60 * 60 * 1000;

/** A token that was used so recently may be sent again: its response was probably lost, and the token not stolen. */
const GRACE_MS = 10_000;

/** A refresh token as it is stored, with what its session and account are worth now. */
export type RefreshState = {
  expiresAt: number;
  spentAt: number | null;
  endedAt: number | null;
  /** When the session ends for good. */
  endsAt: number;
  user: { disabledAt: number | null };
};

/** "reuse": someone holds a copy of a token that was already exchanged, so the whole session has to end. */
export function checkRefreshToken(token: RefreshState, now: number): "rotate" | "reuse" | "refuse" {
  if (token.endedAt !== null || token.user.disabledAt !== null) return "refuse";
  if (Math.min(token.expiresAt, token.endsAt) <= now) return "refuse";
  if (token.spentAt !== null && token.spentAt + GRACE_MS <= now) return "reuse";
  return "rotate";
}
