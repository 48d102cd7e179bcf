import type { beginTwoFactor } from "../../accounts/users/two-factor/enrol.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { Button, LinkButton } from "../kit/buttons.tsx";
import { Field } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-parts.tsx";
import { CopyField } from "../kit/values.tsx";
import { ACCOUNT, TWO_FACTOR } from "../sections.ts";

const BACK = { path: ACCOUNT, name: "Your account" };

type Enrolment = Awaited<ReturnType<typeof beginTwoFactor>>;

/** Set-up data for an authenticator app, and the form for its first code. */
export const EnrolmentPage = ({ enrolment, failed }: { enrolment: Enrolment; failed: Failed | null }) => {
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
      <PageHeader title="Set up an authenticator app" back={BACK} />
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
export const RecoveryCodesPage = ({ codes }: { codes: string[] }) => (
  <>
    <PageHeader title="Recovery codes" back={BACK} />
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
