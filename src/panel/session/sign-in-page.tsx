import type { PageContext } from "../env.ts";
import type { FormState } from "../forms/state.ts";
import { Button } from "../kit/buttons.tsx";
import { Field } from "../kit/fields.tsx";
import { Flash } from "../kit/flash.tsx";
import { Form } from "../kit/form.tsx";
import { page } from "../page.tsx";
import { savedFormField } from "./saved-form.ts";

const SIGNED_OUT = "You were signed out and nothing was saved. Your input is kept: sign in to see it again.";

/** Of `waiting`: the login whose password was right, and that waits for a code. */
const CHALLENGE = "challenge";

/** `waiting` is what comes after signing in: the page that was asked for, or the form that was sent. */
export const signInPage = (c: PageContext, form: FormState, waiting: Record<string, string>) =>
  page(
    c,
    "Sign in",
    <div class="card narrow">
      <h1>Sign in</h1>
      {savedFormField in waiting && <Flash tone="warning" text={SIGNED_OUT} />}
      <Form form={form} plain>
        {Object.entries(waiting).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        {CHALLENGE in waiting ? <Code form={form} /> : <Password form={form} />}
      </Form>
    </div>,
  );

const Password = ({ form }: { form: FormState }) => (
  <>
    <Field form={form} name="email" label="E-mail" type="email" autocomplete="username" required />
    <Field form={form} name="password" label="Password" type="password" autocomplete="current-password" required />
    <Button>Sign in</Button>
  </>
);

const Code = ({ form }: { form: FormState }) => (
  <>
    <Field
      form={form}
      name="code"
      label="Code"
      hint="Six-digit code from your authenticator app, or a recovery code."
      autocomplete="one-time-code"
      maxlength={40}
      required
    />
    <Button>Sign in</Button>
  </>
);
