import { Field } from "../parts/field.tsx";
import type { Form } from "../parts/form.ts";
import { FormCard } from "../parts/form-card.tsx";
import { Refusal } from "../parts/refusal.tsx";

type Props = { form: Form };

const Next = ({ form }: Props) => <input type="hidden" name="next" value={form.values.next ?? ""} />;

export const withNext = (path: string, next: string | undefined): string =>
  next ? `${path}?next=${encodeURIComponent(next)}` : path;

/** A new password. The API defines its rules. */
export const NewPassword = ({ form, label = "New password" }: Props & { label?: string }) => (
  <Field
    form={form}
    name="password"
    label={label}
    type="password"
    autocomplete="new-password"
    hint="At least 8 characters"
    minlength={8}
    maxlength={128}
  />
);

const Benefits = () => (
  <>
    <h2>With an account</h2>
    <ul class="benefits">
      <li>
        <strong>Your orders in one place</strong>
        <span>See what was sent, and follow the parcel.</span>
      </li>
      <li>
        <strong>Downloads that stay</strong>
        <span>Come back for the files that you bought.</span>
      </li>
      <li>
        <strong>A quicker checkout</strong>
        <span>Your addresses and your cart wait for you.</span>
      </li>
    </ul>
  </>
);

export const SignInForm = ({ form }: Props) => (
  <FormCard title="Sign in" sign="person" aside={<Benefits />}>
    <Refusal form={form} fields={["email", "password"]} />
    <form method="post" action="/sign-in" class="fields">
      <Next form={form} />
      <Field form={form} name="email" label="E-mail" type="email" autocomplete="username" maxlength={254} />
      <Field form={form} name="password" label="Password" type="password" autocomplete="current-password" />
      <button type="submit">Sign in</button>
    </form>
    <p class="quiet">
      <a href="/forgot-password">Forgot your password?</a>
    </p>
    <p class="quiet">
      New here? <a href={withNext("/sign-up", form.values.next)}>Create an account</a>
    </p>
  </FormCard>
);

/** Second step of signing in to an account with a second factor. */
export const CodeForm = ({ form }: Props) => (
  <FormCard title="Enter your code" sign="lock">
    <Refusal form={form} fields={["code"]} />
    <form method="post" action="/sign-in/code" class="fields">
      <Field
        form={form}
        name="code"
        label="Code"
        autocomplete="one-time-code"
        hint="From your authenticator app, or a recovery code"
        maxlength={40}
      />
      <button type="submit">Sign in</button>
    </form>
    <p class="quiet">
      Has the code expired? <a href={withNext("/sign-in", form.values.next)}>Start again</a>
    </p>
  </FormCard>
);

export const SignUpForm = ({ form }: Props) => (
  <FormCard title="Create an account" sign="person" aside={<Benefits />}>
    <Refusal form={form} fields={["name", "email", "password"]} />
    <form method="post" action="/sign-up" class="fields">
      <Next form={form} />
      <Field form={form} name="name" label="Name" autocomplete="name" maxlength={100} />
      <Field form={form} name="email" label="E-mail" type="email" autocomplete="username" maxlength={254} />
      <NewPassword form={form} label="Password" />
      <button type="submit">Create account</button>
    </form>
    <p class="quiet">
      Already have an account? <a href={withNext("/sign-in", form.values.next)}>Sign in</a>
    </p>
  </FormCard>
);

export const ForgotPasswordForm = ({ form }: Props) => (
  <FormCard title="Forgot your password?" sign="lock">
    <p>Enter the e-mail address of your account. We will send you a link to choose a new password.</p>
    <Refusal form={form} fields={["email"]} />
    <form method="post" action="/forgot-password" class="fields">
      <Field form={form} name="email" label="E-mail" type="email" autocomplete="username" maxlength={254} />
      <button type="submit">Send the link</button>
    </form>
    <p class="quiet">
      <a href="/sign-in">Back to sign in</a>
    </p>
  </FormCard>
);

export const LinkSent = () => (
  <FormCard title="Check your e-mail" sign="mail">
    <p>If the address belongs to an account, a link is on its way. It works once and expires in 30 minutes.</p>
    <p class="quiet">
      Nothing arrived? Look among your spam, or <a href="/forgot-password">try another address</a>.
    </p>
    <p>
      <a class="button" href="/sign-in">
        Back to sign in
      </a>
    </p>
  </FormCard>
);
