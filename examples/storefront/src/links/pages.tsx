import type { Child } from "hono/jsx";
import { Field } from "../parts/field.tsx";
import type { Form } from "../parts/form.ts";
import { FormCard } from "../parts/form-card.tsx";
import { Refusal } from "../parts/refusal.tsx";
import { NewPassword } from "../session/pages.tsx";

type Props = { form: Form; token: string; action: string };

type FormProps = Props & { button: string; isQuiet?: boolean; children?: Child };

/** Opening a link does nothing, because mail programs open links too. Its button performs the action. */
const LinkForm = ({ form, token, action, button, isQuiet = false, children }: FormProps) => (
  <>
    <Refusal form={form} fields={["token", "password"]} />
    <form method="post" action={action} class="fields">
      <input type="hidden" name="token" value={token} />
      {children}
      <button type="submit" class={isQuiet ? "soft" : undefined}>
        {button}
      </button>
    </form>
  </>
);

export const ResetPage = (props: Props) => (
  <FormCard title="Choose a new password" sign="lock">
    <p>This signs you out everywhere else.</p>
    <LinkForm {...props} button="Change password">
      <NewPassword form={props.form} />
    </LinkForm>
    <p class="quiet">
      Has the link expired? <a href="/forgot-password">Request a new one</a>
    </p>
  </FormCard>
);

/**
 * `waiting` is the unverified address of the signed-in shopper. All others prove by password that they own the account.
 */
export const VerifyPage = ({ waiting, ...props }: Props & { waiting: string | null }) =>
  waiting === null ? (
    <FormCard title="Verify your address" sign="mail">
      <p>To verify the e-mail address of your account, enter its password.</p>
      <LinkForm {...props} button="Verify address">
        <Field
          form={props.form}
          name="password"
          label="Password"
          type="password"
          autocomplete="current-password"
          maxlength={128}
        />
      </LinkForm>
      <details>
        <summary>Did someone else open this account, or did you forget its password?</summary>
        <p>
          Verify without the password: the account's password, sessions, addresses and cart are deleted, and you get an
          e-mail with a link to choose a new password.
        </p>
        <LinkForm {...props} form={{ values: {}, errors: {} }} button="Verify without the password" isQuiet>
          <input type="hidden" name="proof" value="none" />
        </LinkForm>
      </details>
    </FormCard>
  ) : (
    <FormCard title="Verify your address" sign="mail">
      <p>
        Is <strong>{waiting}</strong> your e-mail address?
      </p>
      <LinkForm {...props} button="Yes, verify it">
        <input type="hidden" name="proof" value="session" />
      </LinkForm>
      <p class="quiet">If the link was sent to another account, sign out before you open it.</p>
    </FormCard>
  );

export const ConfirmPage = (props: Props) => (
  <FormCard title="Confirm your new address" sign="mail">
    <p>Your account will use this e-mail address, and we will notify your previous one.</p>
    <LinkForm {...props} button="Confirm address" />
  </FormCard>
);

export const RevertPage = (props: Props) => (
  <FormCard title="Restore your previous address" sign="lock">
    <p>
      Use this if someone else changed the e-mail address of your account. All sessions end, the current password stops
      working, and you choose a new one.
    </p>
    <LinkForm {...props} button="Restore this address" />
  </FormCard>
);
