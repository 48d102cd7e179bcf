import * as z from "zod";
import { findStatus } from "../../accounts/users/two-factor/two-factor.ts";
import type { PageContext } from "../env.ts";
import { MOST_FIELDS_OF_ROWS } from "../forms/read-form.ts";
import type { FormState } from "../forms/state.ts";
import type { Values } from "../forms/values.ts";
import { Button } from "../kit/buttons.tsx";
import { Field } from "../kit/fields.tsx";
import { Flash } from "../kit/flash.tsx";
import { Form } from "../kit/form.tsx";
import { page } from "../page.tsx";

const SIGNED_OUT = "You were signed out and nothing was saved. Your input is kept: sign in to see it again.";

/** Field of `waiting`: the login that still needs a code. */
const CHALLENGE = "challenge";

/** `waiting` is what follows signing in: the requested page or the sent form. */
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

/** Marks this page's form. */
export const REAUTHENTICATES = "reauthenticates";

/** Asks for the password or a code and saves the waiting form. It is sent to that form's address. */
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

// A form sent after the session ended is kept in a field of the sign-in page until it is shown again.

export const savedFormField = "kept_form";

/** The input without passwords, which are never sent to a page. */
export const saveForm = (values: Values): string =>
  JSON.stringify(Object.fromEntries(Object.entries(values).filter(([name]) => !name.includes("password"))));

const SavedForm = z
  .record(z.string(), z.array(z.string()))
  .refine((fields) => Object.values(fields).flat().length <= MOST_FIELDS_OF_ROWS);

/** The form saved in a sign-in page. Null if none. */
export function savedFormIn(sent: Values): Values | null {
  const [saved] = sent[savedFormField] ?? [];
  if (saved === undefined) return null;
  try {
    return SavedForm.parse(JSON.parse(saved));
  } catch {
    return {};
  }
}
