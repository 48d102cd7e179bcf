import type { Child } from "hono/jsx";
import type { PageContext } from "../env.ts";
import type { FormInputs } from "../forms/inputs.ts";
import { type FormState, formFor } from "../forms/state.ts";
import { Button } from "../kit/buttons.tsx";
import { AllFields } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import { page } from "../page.tsx";

type LinkFormProps = {
  form: FormState<string>;
  token: string;
  title: string;
  text: string;
  button: string;
  after?: Child;
};

/** Explains a link and shows its button: nothing happens when a mail program opens the address. */
export const linkPage = (c: PageContext, { form, token, title, text, button, after }: LinkFormProps) =>
  page(
    c,
    title,
    <div class="card narrow">
      <h1>{title}</h1>
      <p>{text}</p>
      <Form form={form} plain>
        <input type="hidden" name="token" value={token} />
        <AllFields form={form} />
        <Button>{button}</Button>
      </Form>
      {after}
    </div>,
  );

export const newPasswordInputs = {
  password: {
    as: "password",
    label: "New password",
    autocomplete: "new-password",
    hint: "8 characters or more",
    required: true,
  },
} satisfies FormInputs;

/** With the account's password, the user proves that they opened the account. */
export const ownPasswordInputs = {
  password: { as: "password", label: "Password", autocomplete: "current-password", required: true },
} satisfies FormInputs;

/** For owners of an address with which a stranger opened the account, and for users who forgot the password. */
export const WithoutPassword = ({ token, path }: { token: string; path: string }) => (
  <>
    <p>
      Did someone else open this account, or did you forget its password? Verify without the password: the account's
      password, sessions, addresses and cart are deleted, and you get an e-mail with a link to choose a new password.
    </p>
    <Form form={formFor(null, path)} plain>
      <input type="hidden" name="token" value={token} />
      <Button tone="quiet">Verify without the password</Button>
    </Form>
  </>
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
