import { findStatus } from "../../accounts/users/two-factor/two-factor.ts";
import type { PageContext } from "../env.ts";
import type { FormState } from "../forms/state.ts";
import type { Values } from "../forms/values.ts";
import { Button } from "../kit/buttons.tsx";
import { Field } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import { page } from "../page.tsx";
import { savedFormField, saveForm } from "./saved-form.ts";

/** Marks the form of this page. */
export const REAUTHENTICATES = "reauthenticates";

/** Asks for the password or a code, and saves the form that waits for it. It is sent to that form's own address. */
export async function reauthenticationPage(c: PageContext, form: FormState, saved: Values): Promise<Response> {
  const { db, identity } = c.var;
  const enabledAt = identity.kind === "user" ? (await findStatus(db, identity.id)).enabledAt : null;
  return page(
    c,
    "Confirm your identity",
    <div class="card narrow">
      <h1>Confirm your identity</h1>
      <p class="muted">
        Enter your password to continue. Nothing was saved yet. Your input is kept, except for passwords.
      </p>
      <Form form={form} plain>
        <input type="hidden" name={REAUTHENTICATES} value="true" />
        <input type="hidden" name={savedFormField} value={saveForm(saved)} />
        <Field
          form={form}
          name="current_password"
          label="Your password"
          type="password"
          autocomplete="current-password"
          required={enabledAt === null}
        />
        {enabledAt !== null && (
          <Field
            form={form}
            name="code"
            label="Or a code"
            hint="Six-digit code from your authenticator app, instead of the password."
            autocomplete="one-time-code"
            maxlength={40}
          />
        )}
        <Button>Continue</Button>
      </Form>
    </div>,
  );
}
