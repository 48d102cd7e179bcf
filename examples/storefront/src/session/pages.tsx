import { Field } from "../parts/field.tsx";
import type { Form } from "../parts/form.ts";
import { Refusal } from "../parts/refusal.tsx";

type Props = { form: Form };

const Next = ({ form }: Props) => <input type="hidden" name="next" value={form.values.next ?? ""} />;

const withNext = (path: string, { values }: Form): string =>
  values.next ? `${path}?next=${encodeURIComponent(values.next)}` : path;

export const SignInForm = ({ form }: Props) => (
  <section class="panel narrow">
    <h1>Sign in</h1>
    <Refusal form={form} fields={["email", "password"]} />
    <form method="post" action="/sign-in" class="fields">
      <Next form={form} />
      <Field form={form} name="email" label="E-mail" type="email" autocomplete="username" />
      <Field form={form} name="password" label="Password" type="password" autocomplete="current-password" />
      <button type="submit">Sign in</button>
    </form>
    <p class="quiet">
      New here? <a href={withNext("/sign-up", form)}>Create an account</a>
    </p>
  </section>
);

/** Second step of signing in to an account with a second factor. */
export const CodeForm = ({ form }: Props) => (
  <section class="panel narrow">
    <h1>Sign in</h1>
    <Refusal form={form} fields={["code"]} />
    <form method="post" action="/sign-in/code" class="fields">
      <Next form={form} />
      <input type="hidden" name="challenge" value={form.values.challenge ?? ""} />
      <Field
        form={form}
        name="code"
        label="Code"
        autocomplete="one-time-code"
        hint="From your authenticator app, or a recovery code"
      />
      <button type="submit">Sign in</button>
    </form>
    <p class="quiet">
      Code expired? <a href={withNext("/sign-in", form)}>Start again</a>
    </p>
  </section>
);

export const SignUpForm = ({ form }: Props) => (
  <section class="panel narrow">
    <h1>Create an account</h1>
    <Refusal form={form} fields={["name", "email", "password"]} />
    <form method="post" action="/sign-up" class="fields">
      <Next form={form} />
      <Field form={form} name="name" label="Name" autocomplete="name" />
      <Field form={form} name="email" label="E-mail" type="email" autocomplete="username" />
      <Field
        form={form}
        name="password"
        label="Password"
        type="password"
        autocomplete="new-password"
        hint="At least 8 characters"
        minlength={8}
      />
      <button type="submit">Create account</button>
    </form>
    <p class="quiet">
      Already have an account? <a href={withNext("/sign-in", form)}>Sign in</a>
    </p>
  </section>
);
