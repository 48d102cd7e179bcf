import type { Child } from "hono/jsx";
import type { PageContext } from "../env.ts";
import type { FormState } from "../forms/state.ts";
import { Button } from "../kit/buttons.tsx";
import { Field } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import { page } from "../page.tsx";

type Props = { form: FormState; token: string; title: string; text: string; button: string; children?: Child };

/** What a link is for, and the button that does it: nothing happens when a mail program looks at the address. */
export const linkPage = (c: PageContext, { form, token, title, text, button, children }: Props) =>
  page(
    c,
    title,
    <div class="card narrow">
      <h1>{title}</h1>
      <p>{text}</p>
      <Form form={form} plain>
        <input type="hidden" name="token" value={token} />
        {children}
        <Button>{button}</Button>
      </Form>
    </div>,
  );

export const NewPasswordField = ({ form }: { form: FormState }) => (
  <Field
    form={form}
    name="password"
    label="New password"
    type="password"
    autocomplete="new-password"
    hint="8 characters or more"
    required
  />
);

export const donePage = (c: PageContext, title: string, text: string) =>
  page(
    c,
    title,
    <div class="card narrow">
      <h1>{title}</h1>
      <p>{text}</p>
    </div>,
  );
