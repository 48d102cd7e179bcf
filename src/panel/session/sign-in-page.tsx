import * as z from "zod";
import { findStatus } from "../../accounts/users/two-factor/two-factor.ts";
import { readTimeZone } from "../../platform/db/time-zone.ts";
import { type Failed, type FormInput, type FormInputs, formFor } from "../forms/inputs.ts";
import type { Values } from "../forms/kinds.ts";
import { MOST_FIELDS_OF_ROWS } from "../forms/read-form.ts";
import { Field, Fields } from "../kit/fields.tsx";
import { Button, Form } from "../kit/form.tsx";
import { Flash } from "../kit/page-parts.tsx";
import { type PageContext, page } from "../page.tsx";

const SIGNED_OUT = "You were signed out and nothing was saved. Your input is kept: sign in to see it again.";

/** Field of `waiting`: the login that still needs a code. */
const CHALLENGE = "challenge";

export const newPasswordInputs = {
  password: {
    as: "password",
    label: "New password",
    autocomplete: "new-password",
    hint: "8 characters or more",
    required: true,
  },
} satisfies FormInputs;

/** Password of the signed-in user. */
export const passwordInput = {
  as: "password",
  label: "Your password",
  autocomplete: "current-password",
  required: true,
} satisfies FormInput;

/** Code of the second factor. */
export const codeInput = {
  as: "text",
  label: "Code",
  hint: "Six-digit code from your authenticator app, or a recovery code.",
  autocomplete: "one-time-code",
  maxlength: 40,
  required: true,
} satisfies FormInput;

const signInInputs = {
  email: { as: "email", label: "E-mail", autocomplete: "username", required: true, autofocus: true },
  password: { ...passwordInput, label: "Password" },
  code: codeInput,
} satisfies FormInputs;

/** `waiting` is the step after signing in: the requested page or the submitted form. */
export async function signInPage(
  c: PageContext,
  action: string,
  waiting: Record<string, string>,
  failed: Failed | null = null,
): Promise<Response> {
  // Also reads the shop's name.
  await readTimeZone(c.var.db);
  const { shopUrl } = c.var.settings.email;
  const form = formFor(failed, action, { inputs: signInInputs });
  return page(
    c,
    "Sign in",
    <div class="card narrow">
      <div>
        <h1>Sign in</h1>
        <p class="muted">This is where staff run the shop.</p>
      </div>
      {savedFormField in waiting && <Flash tone="warning" text={SIGNED_OUT} />}
      <Form form={form} plain>
        {Object.entries(waiting).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        {CHALLENGE in waiting ? (
          <Field form={form} name="code" />
        ) : (
          <Fields form={form} names={["email", "password"]} />
        )}
        <Button>Sign in</Button>
      </Form>
      <p>
        <a href="/account/forgot?from=panel">Forgot your password?</a>
      </p>
      {shopUrl !== null && (
        <p class="apart muted">
          Here to buy? <a href={shopUrl}>Go to the shop</a>
        </p>
      )}
    </div>,
  );
}

/** Marks this page's form. */
export const REAUTHENTICATES = "reauthenticates";

/** Asks for the password or a code and saves the waiting form. It is sent to that form's address. */
export async function reauthenticationPage(
  c: PageContext,
  action: string,
  saved: Values,
  failed: Failed | null = null,
): Promise<Response> {
  const { db, identity } = c.var;
  const hasCodes = identity.kind === "user" && (await findStatus(db, identity.id)).enabledAt !== null;
  const form = formFor(failed, action, {
    inputs: {
      current_password: { ...passwordInput, required: !hasCodes, autofocus: true },
      code: {
        ...codeInput,
        label: "Or a code",
        hint: "Six-digit code from your authenticator app, instead of the password.",
        required: false,
      },
    },
  });
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
        <Field form={form} name="current_password" />
        {hasCodes && <Field form={form} name="code" />}
        <Button>Continue</Button>
      </Form>
    </div>,
  );
}

// A form sent after the session ended is kept in a field of the sign-in page until it is shown again.

export const savedFormField = "kept_form";

/** The input without passwords and secrets, which are never sent to a page. */
export const saveForm = (values: Values): string =>
  JSON.stringify(Object.fromEntries(Object.entries(values).filter(([name]) => !/password|secret/.test(name))));

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
