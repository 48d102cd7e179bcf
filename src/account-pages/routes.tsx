import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { accountContextOf, loginContextOf } from "../accounts/users/account-context.ts";
import { LinkTokenBody, revertEmail, VerifyEmail, verifyEmail } from "../accounts/users/email-address/links.ts";
import { closeSession } from "../accounts/users/sessions/end.ts";
import { ForgotPassword, insertResetLink, ResetPassword, resetPassword } from "../accounts/users/sign-in/recovery.ts";
import { newApp, settings } from "../apps/new-app.ts";
import { listPages } from "../catalogue/pages/pages.ts";
import { TEST_PAYMENT_PAGE } from "../checkout/payments/test-card.ts";
import { preferredLanguage } from "../domain/language.ts";
import { AUTHORIZE_PATH } from "../integrations/apps/metadata.ts";
import { attemptWrite } from "../panel/forms/attempt.ts";
import { type Failed, type FormInputs, formFor } from "../panel/forms/inputs.ts";
import { optional, text } from "../panel/forms/kinds.ts";
import { readForm, type SentForm } from "../panel/forms/read-form.ts";
import { formLimit, pageHeaders, privatePages, sameOrigin } from "../panel/middleware.ts";
import { errorPage } from "../panel/page.tsx";
import { countSender } from "../panel/session/session.ts";
import { newPasswordInputs } from "../panel/session/sign-in-page.tsx";
import { testPaymentPages } from "../panel/test-payments/routes.tsx";
import { type AppEnv, limitAccount, limitAddress } from "../platform/auth/gates.ts";
import { isStaff } from "../platform/auth/roles.ts";
import { database } from "../platform/db/client.ts";
import { readShopName } from "../platform/email/emails.ts";
import { sendInBackground } from "../platform/email/send.ts";
import { authorized, authorizePage } from "./authorize-page.tsx";
import { checkedOut, checkoutPage } from "./checkout-page.tsx";
import { confirmed, draftPage } from "./draft-page.tsx";
import { downloadGuestFile, replaceGuestLink } from "./guest-downloads.tsx";
import { downloadGuestInvoice } from "./guest-invoices.tsx";
import { cancelGuestSubscription, changeGuestCard } from "./guest-subscription.tsx";
import { acceptInvitation, invitationPage } from "./invitation-page.tsx";
import { guestOrderPage } from "./order-page.tsx";
import {
  donePage,
  forgotInputs,
  forgotPage,
  linkPage,
  ownPasswordInputs,
  PANEL_SIGN_IN,
  type SignInPlace,
  WithoutPassword,
} from "./pages.tsx";
import { shopPage } from "./shop-page.tsx";
import { submitWithdrawal, withdrawalPage, withdrawalReceivedPage } from "./withdrawal-page.tsx";

const nobody = { kind: "anonymous" } as const;

const linkFieldKinds = { token: text };

/** A page for each kind of link. */
const links = new Hono<AppEnv>()
  .get("/forgot", (c) => showForgotPage(c, null))
  .post("/forgot", (c) =>
    use(c, showForgotPage, async (sent) => {
      const { email } = sent.read(ForgotPassword, { email: text });
      await limitAddress(c, "recovery");
      await limitAccount(c, "recovery", email);
      await insertResetLink(contextOf(c), email);
      return c.redirect(`/account/forgot/sent?from=${encodeURIComponent(cameFrom(sent.values.from?.[0]))}`, 303);
    }),
  )
  .get("/forgot/sent", (c) => {
    const place = signInPlace(c, cameFrom(c.req.query("from")) === "panel");
    const next = "If the address belongs to an account, a link is on its way. It works once and expires in 30 minutes.";
    return donePage(c, "Check your e-mail", next, place, "mail");
  })
  .get("/order", (c) => guestOrderPage(c, null))
  .post("/order", (c) => use(c, guestOrderPage, (sent) => downloadGuestInvoice(c, sent)))
  .post("/order/download", (c) => use(c, guestOrderPage, (sent) => downloadGuestFile(c, sent)))
  .post("/order/rotate", (c) => use(c, guestOrderPage, (sent) => replaceGuestLink(c, contextOf(c), sent)))
  .post("/order/cancel", (c) => use(c, guestOrderPage, (sent) => cancelGuestSubscription(c, contextOf(c), sent)))
  .post("/order/card", (c) => use(c, guestOrderPage, (sent) => changeGuestCard(c, sent)))
  .get("/draft", (c) => draftPage(c, null))
  .post("/draft", (c) => use(c, draftPage, (sent) => confirmed(c, sent)))
  .get("/checkout", (c) => checkoutPage(c, null))
  .post("/checkout", (c) => use(c, checkoutPage, (sent) => checkedOut(c, sent)))
  .get("/withdraw", (c) => withdrawalPage(c, null))
  .post("/withdraw", (c) => use(c, withdrawalPage, (sent) => submitWithdrawal(c, sent)))
  .get("/withdraw/received", withdrawalReceivedPage)
  .get("/pages/:slug", shopPage)
  .get("/invitation", (c) => invitationPage(c, null))
  .post("/invitation", (c) => use(c, invitationPage, (sent) => acceptInvitation(c, sent)))
  .get("/reset", (c) => resetPage(c, null))
  .post("/reset", (c) =>
    use(c, resetPage, async (sent) => {
      const ctx = loginContextOf(c, { caller: nobody, admits: () => true });
      const outcome = await resetPassword(ctx, sent.read(ResetPassword, { ...linkFieldKinds, password: text }));
      // A page does not use the session in the API's response.
      if ("session" in outcome) await closeSession(ctx, { userId: outcome.user.id, id: outcome.session.id });
      const next = "All sessions have ended. You can now sign in with your new password.";
      return donePage(c, "Password changed", next, signInPlace(c, isStaff(outcome.user.role)));
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
      return donePage(c, "Your account has this address again", next, null);
    }),
  );

/** Pages behind links in e-mails, where the storefront has none of its own. */
export const linkPages = newApp(errorPage);

/** Customers see these pages, so they show the shop's name, and link to its terms and imprint. */
const shopFrame = createMiddleware<AppEnv>(async (c, next) => {
  const language = preferredLanguage(c.req.header("Accept-Language") ?? null);
  const [name, pages] = await Promise.all([
    readShopName(c.var.db, c.var.settings.email),
    listPages(c.var.db, language),
  ]);
  c.set("shopName", name);
  c.set(
    "shopLinks",
    pages.map(({ slug, title }) => ({ href: `/account/pages/${slug}`, title })),
  );
  await next();
});

linkPages.use(pageHeaders, privatePages, settings, database, shopFrame, sameOrigin, formLimit);
linkPages.route("/account", links);
linkPages.route(TEST_PAYMENT_PAGE, testPaymentPages);
linkPages.get(AUTHORIZE_PATH, async (c) => {
  await limitAddress(c, "anonymous");
  return authorizePage(c, null);
});
linkPages.post(AUTHORIZE_PATH, (c) => use(c, authorizePage, (sent) => authorized(c, sent)));

type Show = (c: Context<AppEnv>, failed: Failed | null) => Response | Promise<Response>;

/** Performs the action of a link, or shows why it failed. Each attempt is counted before the input is read. */
async function use(c: Context<AppEnv>, show: Show, act: (sent: SentForm) => Promise<Response>): Promise<Response> {
  const admit = await countSender(c);
  const sent = await readForm(c);
  return attemptWrite(
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
  const { email, role, verifiedAt, newPasswordNeeded } = await verifyEmail(contextOf(c), { ...fields, holder: null });
  if (verifiedAt === null) {
    return donePage(c, "Address changed", `Your account's address is now ${email}. We sent a link to verify it.`, null);
  }
  const next = newPasswordNeeded
    ? " Its previous password, sessions and addresses were deleted. We sent an e-mail with a link to choose a new password."
    : "";
  const place = newPasswordNeeded ? null : signInPlace(c, isStaff(role));
  return donePage(c, "Address verified", `${email} is the verified address of your account.${next}`, place);
}

/** The sign-in page from which a visitor comes, among those that link here. */
const cameFrom = (from: string | undefined): "panel" | "" => (from === "panel" ? "panel" : "");

function signInPlace({ var: { settings, shopName } }: Context<AppEnv>, toPanel: boolean): SignInPlace {
  const { shopUrl } = settings.email;
  if (toPanel) return PANEL_SIGN_IN;
  return shopUrl === null ? null : { href: shopUrl, label: `Go to ${shopName}` };
}

const contextOf = (c: Context<AppEnv>) =>
  accountContextOf({ env: c.env, req: c.req, var: { ...c.var, caller: nobody } });

const stateOf = (c: Context<AppEnv>, failed: Failed | null, inputs: FormInputs = {}) => ({
  form: formFor(failed, c.req.path, { inputs }),
  token: failed?.values.token?.[0] ?? c.req.query("token") ?? "",
});

const showForgotPage: Show = (c, failed) =>
  forgotPage(c, {
    form: formFor(failed, c.req.path, { inputs: forgotInputs }),
    from: cameFrom(failed?.values.from?.[0] ?? c.req.query("from")),
  });

const resetPage: Show = (c, failed) =>
  linkPage(c, {
    ...stateOf(c, failed, newPasswordInputs),
    sign: "lock",
    title: "Choose a new password",
    text: "This ends all sessions of your account.",
    button: "Change password",
    after: (
      <p>
        Has the link expired? <a href="/account/forgot">Request a new one</a>
      </p>
    ),
  });

const verifyPage: Show = (c, failed) => {
  const state = stateOf(c, failed, ownPasswordInputs);
  return linkPage(c, {
    ...state,
    sign: "mail",
    title: "Verify your e-mail address",
    text: "Enter the password of your account. This proves that the account and the address are both yours.",
    button: "Verify address",
    after: <WithoutPassword token={state.token} path={c.req.path} />,
  });
};

const confirmPage: Show = (c, failed) =>
  linkPage(c, {
    ...stateOf(c, failed),
    sign: "mail",
    title: "Confirm your new e-mail address",
    text: "Your account will use this address, and we will notify your previous address.",
    button: "Confirm address",
  });

const revertPage: Show = (c, failed) =>
  linkPage(c, {
    ...stateOf(c, failed),
    sign: "lock",
    title: "Restore your previous e-mail address",
    text: "Use this if someone else changed it. All sessions end, the current password stops working, and you choose a new one.",
    button: "Restore this address",
  });
