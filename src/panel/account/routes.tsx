import { type Context, Hono } from "hono";
import { accountContextOf } from "../../accounts/users/account-context.ts";
import { changeProfile, ProfileUpdate } from "../../accounts/users/profile.ts";
import { closeOtherSessions, closeSession } from "../../accounts/users/sessions/end.ts";
import { SessionParam } from "../../accounts/users/sessions/sessions.ts";
import {
  confirmTwoFactor,
  disableTwoFactor,
  enableTwoFactor,
  pendingEnrolment,
  regenerateRecoveryCodes,
} from "../../accounts/users/two-factor/enrol.ts";
import { TwoFactorCode, TwoFactorEnrolmentRequest } from "../../accounts/users/two-factor/two-factor.ts";
import { notFound } from "../../domain/errors.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { lacksTwoFactor, limitAddress } from "../../platform/auth/gates.ts";
import { sendInBackground } from "../../platform/email/send.ts";
import { chooseNotifications, notificationsFor } from "../../platform/email/staff-notifications.ts";
import { validate } from "../../platform/http/validate.ts";
import { redirectWithFlash } from "../flash.ts";
import { submitForm } from "../forms/attempt.ts";
import { type Failed, formFor } from "../forms/inputs.ts";
import { text } from "../forms/kinds.ts";
import type { SentForm } from "../forms/read-form.ts";
import { Field } from "../kit/fields.tsx";
import { Button, Form, LinkButton } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-parts.tsx";
import { CopyField } from "../kit/values.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { ACCOUNT, TWO_FACTOR } from "../sections.ts";
import { accountPage, nameKinds, passwordKinds, requiredFactorPage } from "./account-page.tsx";
import { NotificationsForm, notificationInputKinds } from "./notifications.tsx";

export const account = new Hono<PanelEnv>()
  .get("/account", (c) => accountPage(c, null))
  .post(
    "/account",
    submitForm(accountPage, async (c, sent) => {
      await changeProfile(accountContextOf(c), sent.read(ProfileUpdate, nameKinds));
      return redirectWithFlash(c, ACCOUNT, "Your name was saved.");
    }),
  )
  .post(
    "/account/notifications",
    submitForm(accountPage, async (c, sent) => {
      await chooseNotifications(
        writeContextOf(c),
        sent.read(NotificationsForm, notificationInputKinds(notificationsFor(c.var.caller))),
      );
      return redirectWithFlash(c, ACCOUNT, "Your choice of e-mails was saved.");
    }),
  )
  .post(
    "/account/password",
    submitForm(accountPage, async (c, sent) => {
      await limitAddress(c, "sign-in");
      await changeProfile(accountContextOf(c), sent.read(ProfileUpdate, passwordKinds));
      sendInBackground(c);
      return redirectWithFlash(c, ACCOUNT, "Your password was changed. Your other sessions have ended.");
    }),
  )
  .post("/account/sessions/end", async (c) => {
    await closeOtherSessions(writeContextOf(c));
    return redirectWithFlash(c, ACCOUNT, "All your other sessions have ended.");
  })
  .post("/account/sessions/:id/end", validate("param", SessionParam), async (c) => {
    const ended = await closeSession(writeContextOf(c), { userId: c.var.caller.id, id: c.req.valid("param").id });
    if (!ended) throw notFound("The session");
    return redirectWithFlash(c, ACCOUNT, "The session has ended.");
  });

const codeIn = (sent: SentForm): string => sent.read(TwoFactorCode, { code: text }).code;

/** The page to set up a second factor: the account page, or a separate one if the shop requires a factor. */
const setUpPage = (c: Context<PanelEnv>, failed: Failed | null) =>
  lacksTwoFactor(c.var.settings, c.var.caller) ? requiredFactorPage(c, failed) : accountPage(c, failed);

export const twoFactorPages = new Hono<PanelEnv>()
  .get("/account/two-factor", (c) => setUpPage(c, null))
  .post(
    "/account/two-factor",
    submitForm(setUpPage, async (c, sent) => {
      await limitAddress(c, "sign-in");
      const { current_password } = sent.read(TwoFactorEnrolmentRequest, { current_password: text });
      const enrolment = await enableTwoFactor(accountContextOf(c), current_password);
      return page(c, "Set up an authenticator app", <EnrolmentPage enrolment={enrolment} failed={null} />);
    }),
  )
  .post(
    "/account/two-factor/confirm",
    submitForm(
      async (c, failed) => {
        const enrolment = await pendingEnrolment(accountContextOf(c));
        return page(c, "Set up an authenticator app", <EnrolmentPage enrolment={enrolment} failed={failed} />);
      },
      async (c, sent) => {
        const codes = await confirmTwoFactor(accountContextOf(c), codeIn(sent));
        sendInBackground(c);
        return page(c, "Recovery codes", <RecoveryCodesPage codes={codes} />);
      },
    ),
  )
  .post(
    "/account/two-factor/recovery-codes",
    submitForm(accountPage, async (c, sent) => {
      await limitAddress(c, "sign-in");
      const codes = await regenerateRecoveryCodes(accountContextOf(c), codeIn(sent));
      return page(c, "Recovery codes", <RecoveryCodesPage codes={codes} />);
    }),
  )
  .post(
    "/account/two-factor/disable",
    submitForm(accountPage, async (c, sent) => {
      await limitAddress(c, "sign-in");
      await disableTwoFactor(accountContextOf(c), codeIn(sent));
      sendInBackground(c);
      return redirectWithFlash(c, ACCOUNT, "The second factor is disabled.");
    }),
  );

const BACK = { path: ACCOUNT, name: "Your account" };

type Enrolment = Awaited<ReturnType<typeof enableTwoFactor>>;

/** Set-up data for an authenticator app, and the form for its first code. */
const EnrolmentPage = ({ enrolment, failed }: { enrolment: Enrolment; failed: Failed | null }) => {
  const form = formFor(failed, `${TWO_FACTOR}/confirm`, {
    inputs: {
      code: {
        as: "number",
        label: "Code from the app",
        autocomplete: "one-time-code",
        maxlength: 7,
        required: true,
      },
    },
  });
  return (
    <>
      <PageHeader back={BACK} />
      <div class="card narrow">
        <p>
          Scan the code with your authenticator app, or enter the key by hand. Then enter the six-digit code from the
          app.
        </p>
        <img
          class="qr-code"
          src={`data:image/svg+xml,${encodeURIComponent(enrolment.qr_code)}`}
          alt="QR code for the authenticator app"
          width="232"
          height="232"
        />
        <CopyField id="totp-key" label="Key" value={enrolment.secret} />
        <Form form={form} plain>
          <Field form={form} name="code" />
          <Button>Enable the second factor</Button>
        </Form>
      </div>
    </>
  );
};

/** The recovery codes, which no later page can show. */
const RecoveryCodesPage = ({ codes }: { codes: string[] }) => (
  <>
    <PageHeader back={BACK} />
    <div class="card narrow">
      <p class="notice warning">
        Each code signs you in once if you lose the app. Store them with your passwords: they are shown only once.
      </p>
      <CopyField id="recovery-codes" label="Recovery codes" value={codes.join("\n")} rows={codes.length} />
      <LinkButton href={ACCOUNT} tone="primary">
        I have saved them
      </LinkButton>
    </div>
  </>
);
