import type { TwoFactorStatus } from "../../accounts/users/two-factor/two-factor.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { Button } from "../kit/buttons.tsx";
import { ConfirmButton } from "../kit/confirm-button.tsx";
import { DescriptionList } from "../kit/description-list.tsx";
import { Field } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import { When } from "../kit/when.tsx";
import { TWO_FACTOR } from "./path.ts";

type Props = { status: TwoFactorStatus; failed: Failed | null };

const CODE_HINT = "Six-digit code from your authenticator app, or a recovery code.";

/** The second factor of who is signed in: how to enable it, or what to do about it. */
export const TwoFactor = ({ status, failed }: Props) => (
  <section class="card">
    <h2>Second factor</h2>
    {status.enabledAt === null ? <Enable failed={failed} /> : <Enabled status={status} failed={failed} />}
  </section>
);

const Enable = ({ failed }: Pick<Props, "failed">) => {
  const form = formFor(failed, TWO_FACTOR);
  return (
    <>
      <p class="muted">
        Protects your account if your password is stolen: signing in also takes a code from an authenticator app.
        Enabling it ends your other sessions.
      </p>
      <Form form={form} plain>
        <Field
          form={form}
          name="current_password"
          label="Your password"
          type="password"
          autocomplete="current-password"
          required
        />
        <Button>Set up an authenticator app</Button>
      </Form>
    </>
  );
};

const Enabled = ({ status: { enabledAt, codesLeft }, failed }: Props) => (
  <>
    <DescriptionList facts={{ "Enabled since": <When at={enabledAt} />, "Recovery codes left": codesLeft }} />
    <div class="actions">
      <WithCode
        failed={failed}
        path={`${TWO_FACTOR}/recovery-codes`}
        label="New recovery codes"
        title="Replace your recovery codes?"
        text="Your current codes will stop working."
      />
      <WithCode
        failed={failed}
        path={`${TWO_FACTOR}/disable`}
        label="Disable"
        title="Disable the second factor?"
        text="Anyone who knows your password will be able to sign in."
        danger
      />
    </div>
  </>
);

type WithCodeProps = Pick<Props, "failed"> & {
  path: string;
  label: string;
  title: string;
  text: string;
  danger?: boolean;
};

const WithCode = ({ failed, path, danger = false, ...words }: WithCodeProps) => {
  const form = formFor(failed, path);
  return (
    <ConfirmButton form={form} {...words} tone={danger ? "danger" : "primary"}>
      <Field
        form={form}
        name="code"
        label="Code"
        hint={CODE_HINT}
        autocomplete="one-time-code"
        maxlength={40}
        required
      />
    </ConfirmButton>
  );
};
