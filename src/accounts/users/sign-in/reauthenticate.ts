import type { AccessClaims } from "../../../platform/auth/tokens.ts";
import { runAll } from "../../../platform/db/client.ts";
import { confirmPassword } from "../confirm-password.ts";
import type { OwnRequest } from "../own-request.ts";
import { markAuthenticated } from "../sessions/sessions.ts";
import { spendCode } from "../two-factor/prove.ts";
import { writeWithCode, wrongCode } from "../two-factor/two-factor.ts";
import type { Reauthentication } from "./schemas.ts";

/** Checks the password or a code within a session and records it, for the session's later tokens. */
export async function reauthenticate(
  request: OwnRequest,
  { current_password, code }: Reauthentication,
): Promise<AccessClaims> {
  const { db, caller, author } = request;
  const mark = markAuthenticated(caller.sessionId, author.now);
  if (code !== undefined) await writeWithCode(db, [...(await spendCode(request, code)), mark], wrongCode);
  else {
    await confirmPassword(request, current_password ?? "");
    await runAll(db, [mark]);
  }
  return { userId: caller.id, sessionId: caller.sessionId, authenticatedAt: author.now };
}
