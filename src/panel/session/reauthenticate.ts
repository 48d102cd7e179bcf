import type { Context } from "hono";
import { ownRequestOf } from "../../accounts/users/own-request.ts";
import { reauthenticate } from "../../accounts/users/sign-in/reauthenticate.ts";
import { Reauthentication } from "../../accounts/users/sign-in/schemas.ts";
import { limitAddress } from "../../platform/auth/gates.ts";
import type { PanelEnv } from "../env.ts";
import { attempt } from "../forms/attempt.ts";
import { optional } from "../forms/kinds.ts";
import type { SentForm } from "../forms/read-form.ts";
import { formFor } from "../forms/state.ts";
import type { Values } from "../forms/values.ts";
import { reauthenticationPage } from "./reauthentication-page.tsx";
import { writeSession } from "./session.ts";
import type { PanelSession } from "./token.ts";

/** Takes the password or a code of who is signed in, and proceeds with a session that says so. */
export const reauthenticateAnd = (
  c: Context<PanelEnv>,
  sent: SentForm,
  saved: Values,
  session: PanelSession,
  proceed: (authenticatedAt: number) => Promise<Response>,
): Promise<Response> =>
  attempt(
    c,
    sent,
    (failed) => reauthenticationPage(c, formFor(failed, sent.action), saved),
    async () => {
      await limitAddress(c, "sign-in");
      const shown = sent.read(Reauthentication, { current_password: optional, code: optional });
      const { authenticatedAt } = await reauthenticate(ownRequestOf(c), shown);
      await writeSession(c, { ...session, authenticatedAt });
      return proceed(authenticatedAt);
    },
  );
