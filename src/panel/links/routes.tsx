import { type Context, Hono } from "hono";
import { accountContextOf, loginContextOf } from "../../accounts/users/account-context.ts";
import { LinkTokenBody, revertEmail, VerifyEmail, verifyEmail } from "../../accounts/users/email-address/links.ts";
import { ResetPassword, resetPassword } from "../../accounts/users/recovery/recovery.ts";
import { closeSession } from "../../accounts/users/sessions/end.ts";
import { newApp, settings } from "../../apps/new-app.ts";
import type { AppEnv } from "../../platform/auth/app-env.ts";
import { database } from "../../platform/db/bookmark.ts";
import { sendInBackground } from "../../platform/email/send.ts";
import { attempt } from "../forms/attempt.ts";
import type { FormInputs } from "../forms/inputs.ts";
import { optional, text } from "../forms/kinds.ts";
import { readForm, type SentForm } from "../forms/read-form.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { formLimit, pageHeaders, privatePages, sameOrigin } from "../middleware.ts";
import { errorPage } from "../page.tsx";
import { countSender } from "../session/session.ts";
import { donePage, linkPage, newPasswordInputs, ownPasswordInputs, WithoutPassword } from "./pages.tsx";

const nobody = { kind: "anonymous" } as const;

const linkFieldKinds = { token: text };

/** A page for each kind of link. */
const links = new Hono<AppEnv>()
  .get("/reset", (c) => resetPage(c, null))
  .post("/reset", (c) =>
    use(c, resetPage, async (sent) => {
      const ctx = loginContextOf(c, { caller: nobody, admits: () => true });
      const outcome = await resetPassword(ctx, sent.read(ResetPassword, { ...linkFieldKinds, password: text }));
      // A page has no use for the session in the API's response.
      if ("session" in outcome) await closeSession(ctx, { userId: outcome.user.id, id: outcome.session.id });
      return donePage(c, "Password changed", "All sessions have ended. You can now sign in with your new password.");
    }),
  )
  .get("/verify", (c) => verifyPage(c, null))
  .post("/verify", (c) => use(c, verifyPage, (sent) => verified(c, sent)))
  .get("/confirm", (c) => confirmPage(c, null))
  .post("/confirm", (c) => use(c, confirmPage, (sent) => verified(c, sent)))
  .get("/revert", (c) => revertPage(c, null))
  .post("/revert", (c) =>
    use(c, revertPage, async (sent) => {
      await revertEmail(contextOf(c), sent.read(LinkTokenBody, linkFieldKinds).token);
      const next = "All sessions have ended. We sent an e-mail with a link to choose a new password.";
      return donePage(c, "Your account has this address again", next);
    }),
  );

/** Pages behind links in e-mails, where the storefront has none of its own. */
export const linkPages = newApp(errorPage);

linkPages.use(pageHeaders, privatePages, settings, database, sameOrigin, formLimit);
linkPages.route("/account", links);

type Show = (c: Context<AppEnv>, failed: Failed | null) => Response | Promise<Response>;

/** Performs the action of a link, or shows why not. Each attempt is counted before the input is read. */
async function use(c: Context<AppEnv>, show: Show, act: (sent: SentForm) => Promise<Response>): Promise<Response> {
  const admit = await countSender(c);
  const sent = await readForm(c);
  return attempt(
    c,
    sent,
    (failed) => show(c, failed),
    async () => {
      admit();
      const done = await act(sent);
      sendInBackground(c);
      return done;
    },
  );
}

async function verified(c: Context<AppEnv>, sent: SentForm): Promise<Response> {
  const fields = sent.read(VerifyEmail, { ...linkFieldKinds, password: optional });
  const { email, verifiedAt, newPasswordNeeded } = await verifyEmail(contextOf(c), { ...fields, holder: null });
  if (verifiedAt === null) {
    return donePage(c, "Address changed", `Your account's address is now ${email}. We sent a link to verify it.`);
  }
  const next = newPasswordNeeded
    ? " Its previous password, sessions and addresses were deleted. We sent an e-mail with a link to choose a new password."
    : "";
  return donePage(c, "Address verified", `${email} is the verified address of your account.${next}`);
}

const contextOf = (c: Context<AppEnv>) =>
  accountContextOf({ env: c.env, req: c.req, var: { ...c.var, caller: nobody } });

const stateOf = (c: Context<AppEnv>, failed: Failed | null, inputs: FormInputs = {}) => ({
  form: formFor(failed, c.req.path, { inputs }),
  token: failed?.values.token?.[0] ?? c.req.query("token") ?? "",
});

const resetPage: Show = (c, failed) =>
  linkPage(c, {
    ...stateOf(c, failed, newPasswordInputs),
    title: "Reset your password",
    text: "This ends all sessions of your account.",
    button: "Change password",
  });

const verifyPage: Show = (c, failed) => {
  const state = stateOf(c, failed, ownPasswordInputs);
  return linkPage(c, {
    ...state,
    title: "Verify your e-mail address",
    text: "Enter the password of your account.",
    button: "Verify address",
    after: <WithoutPassword token={state.token} path={c.req.path} />,
  });
};

const confirmPage: Show = (c, failed) =>
  linkPage(c, {
    ...stateOf(c, failed),
    title: "Confirm your new e-mail address",
    text: "Your account will use this address, and we will notify your previous address.",
    button: "Confirm address",
  });

const revertPage: Show = (c, failed) =>
  linkPage(c, {
    ...stateOf(c, failed),
    title: "Restore your previous e-mail address",
    text: "Use this if someone else changed it. All sessions end, the current password stops working, and you choose a new one.",
    button: "Restore this address",
  });
