import { limitAddress } from "../../auth/gates.ts";
import { isStaff } from "../../auth/roles.ts";
import { loginContextOf } from "../../users/sign-in/login-context.ts";
import { Login } from "../../users/sign-in/schemas.ts";
import { logIn } from "../../users/sign-in/sign-in.ts";
import type { PageContext } from "../env.ts";
import { text } from "../forms/kinds.ts";
import type { SentForm } from "../forms/read-form.ts";
import { writeSession } from "./session.ts";
import { beginSession, type PanelSession, SESSION_S } from "./token.ts";

/** Opens the session of a member of staff whose e-mail and password were sent. A customer is refused like a stranger. */
export async function signIn(c: PageContext, sent: SentForm): Promise<PanelSession> {
  await limitAddress(c, "sign-in");
  const login = sent.read(Login, { email: text, password: text });
  const context = loginContextOf(c, { kind: "anonymous" }, ({ role }) => isStaff(role), SESSION_S * 1000);
  const { user, session } = await logIn(c.env, c.var.db, login, context);
  const begun = beginSession({ userId: user.id, sessionId: session.id }, session.now);
  await writeSession(c, begun);
  return begun;
}
