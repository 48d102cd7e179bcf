import type { PageContext } from "../env.ts";
import type { FormState } from "../forms/state.ts";
import { Button } from "../kit/buttons.tsx";
import { Field } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import { page } from "../page.tsx";

export const signInPage = (c: PageContext, form: FormState) =>
  page(
    c,
    "Sign in",
    <div class="card narrow">
      <h1>Sign in</h1>
      <Form form={form} plain>
        <input type="hidden" name="next" value={form.values.next?.[0] ?? ""} />
        <Field form={form} name="email" label="E-mail" type="email" autocomplete="username" required />
        <Field form={form} name="password" label="Password" type="password" autocomplete="current-password" required />
        <Button>Sign in</Button>
      </Form>
    </div>,
  );
