import type { Context } from "hono";
import { loginContextOf } from "../accounts/users/account-context.ts";
import { LoginCompletion, LoginRequest } from "../accounts/users/sign-in/schemas.ts";
import { completeLogin, logIn } from "../accounts/users/sign-in/sign-in.ts";
import { CODE_MS, insertCode } from "../integrations/apps/codes.ts";
import { saveClient } from "../integrations/apps/installations.ts";
import { AUTHORIZE_PATH } from "../integrations/apps/metadata.ts";
import { type Failed, type FormInputs, formFor } from "../panel/forms/inputs.ts";
import { text } from "../panel/forms/kinds.ts";
import type { SentForm } from "../panel/forms/read-form.ts";
import { AboutApp, forRequest, queryOf, RequestFields, returnAfter } from "../panel/kit/authorization.tsx";
import { Field, Fields } from "../panel/kit/fields.tsx";
import { Button, Form } from "../panel/kit/form.tsx";
import { page } from "../panel/page.tsx";
import { codeInput, passwordInput } from "../panel/session/sign-in-page.tsx";
import type { AppEnv } from "../platform/auth/gates.ts";
import { isShopperScope, shopperScopes } from "../platform/auth/scopes.ts";

const inputs = {
  email: { as: "email", label: "E-mail", autocomplete: "username", required: true },
  password: passwordInput,
  code: codeInput,
} satisfies FormInputs;

/** The page on which a shopper signs in and lets an app act for them. Staff are asked in the panel. */
export function authorizePage(c: Context<AppEnv>, failed: Failed | null, challenge = challengeOf(failed)) {
  return forRequest(c, failed?.values ?? queryOf(c), (request) => {
    if (request.asks === "staff") return c.redirect(`/admin/apps/authorize${new URL(c.req.url).search}`, 303);
    const form = formFor(failed, AUTHORIZE_PATH, { inputs });
    return page(
      c,
      `Connect ${request.client.name}`,
      <div class="card narrow">
        <h1>Connect {request.client.name}?</h1>
        <p>The app asks to use your account at {c.var.shopName}. It will be able to:</p>
        <ul>
          {request.scopes.filter(isShopperScope).map((scope) => (
            <li>{shopperScopes[scope]}</li>
          ))}
        </ul>
        <AboutApp {...request} />
        <Form form={form} plain>
          <RequestFields {...request} />
          {challenge === undefined ? (
            <Fields form={form} names={["email", "password"]} />
          ) : (
            <>
              <input type="hidden" name="challenge" value={challenge} />
              <Field form={form} name="code" />
            </>
          )}
          <Button>Sign in and connect</Button>
        </Form>
        <Form form={formFor(null, AUTHORIZE_PATH)} plain>
          <RequestFields {...request} />
          <Button tone="quiet" name="deny" value="true">
            Cancel
          </Button>
        </Form>
      </div>,
    );
  });
}

const challengeOf = (failed: Failed | null): string | undefined =>
  failed?.code === "invalid_challenge" ? undefined : failed?.values.challenge?.[0];

/** Signs the shopper in for the app and returns to it. The new session is the app's, and ends unless it exchanges its code. */
export const authorized = (c: Context<AppEnv>, sent: SentForm): Promise<Response> =>
  forRequest(c, sent.values, async (request) => {
    if (sent.values.deny !== undefined)
      return returnAfter(c, request, { error: "access_denied", error_description: "The app was not connected" });
    if (request.asks === "staff") return c.notFound();
    const ctx = loginContextOf(c, { caller: { kind: "anonymous" }, admits: () => true, lifetimeMs: CODE_MS });
    const signedIn = sent.values.challenge
      ? await completeLogin(ctx, sent.read(LoginCompletion, { challenge: text, code: text }))
      : await logIn(ctx, sent.read(LoginRequest, { email: text, password: text }));
    if ("challenge" in signedIn) {
      const failed = { action: "", values: sent.values, errors: {}, message: "", tone: "warning" } as const;
      return authorizePage(c, failed, signedIn.challenge);
    }
    const { user, session } = signedIn;
    const appId = await saveClient(ctx, request.client);
    const consent = { request, appId, scopes: request.scopes, apiKeyId: null };
    const code = await insertCode({ ...ctx, caller: { id: user.id, sessionId: session.id } }, consent);
    return returnAfter(c, request, { code });
  });
