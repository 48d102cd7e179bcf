import type { Child } from "hono/jsx";
import { type FormInputs, type FormState, formFor } from "../panel/forms/inputs.ts";
import { AllFields } from "../panel/kit/fields.tsx";
import { Button, Form, LinkButton } from "../panel/kit/form.tsx";
import { Icon, type PageContext, page } from "../panel/page.tsx";

/** Pictures above a heading, as paths on a grid of 24. */
const icons = {
  mail: "M4 6h16v12H4zm0 1 8 6 8-6",
  lock: "M6 11h12v9H6zm2 0V8a4 4 0 0 1 8 0v3",
  done: "m5 12.500 4.500 4.500L19 7.500",
};

type Sign = keyof typeof icons;

const Sign = ({ of }: { of: Sign }) => (
  <div class={`sign ${of}`}>
    <Icon path={icons[of]} />
  </div>
);

type LinkFormProps = {
  form: FormState<string>;
  sign: Sign;
  token: string;
  title: string;
  text: Child;
  button: string;
  after?: Child;
};

/** Explains a link and shows its button. Opening the URL does nothing, because mail programs do it too. */
export const linkPage = (c: PageContext, { form, sign, token, title, text, button, after }: LinkFormProps) =>
  page(
    c,
    title,
    <div class="card narrow">
      <Sign of={sign} />
      <h1>{title.replace("e-mail", "e\u2011mail")}</h1>
      <p>{text}</p>
      <Form form={form} plain>
        <input type="hidden" name="token" value={token} />
        <AllFields form={form} />
        <Button>{button}</Button>
      </Form>
      {after}
    </div>,
  );

export const forgotInputs = {
  email: { as: "email", label: "E-mail", autocomplete: "username", required: true },
} satisfies FormInputs;

type ForgotProps = { form: FormState<keyof typeof forgotInputs>; from: string };

/** Asks for the address of an account with a forgotten password. `from` is the sign-in page to return to. */
export const forgotPage = (c: PageContext, { form, from }: ForgotProps) =>
  page(
    c,
    "Forgot your password?",
    <div class="card narrow">
      <Sign of="lock" />
      <h1>Forgot your password?</h1>
      <p>Enter the e-mail address of your account. We will send you a link to choose a new password.</p>
      <Form form={form} plain>
        <input type="hidden" name="from" value={from} />
        <AllFields form={form} />
        <Button>Send the link</Button>
      </Form>
    </div>,
  );

/** With the account's password, the user proves that they opened the account. */
export const ownPasswordInputs = {
  password: { as: "password", label: "Password", autocomplete: "current-password", required: true },
} satisfies FormInputs;

/** For owners of an address with which a stranger opened the account, and for users who forgot the password. */
export const WithoutPassword = ({ token, path }: { token: string; path: string }) => (
  <details class="more apart">
    <summary>Verify without the password</summary>
    <p>
      For an account that someone else opened, or whose password you forgot. The account's password, sessions, addresses
      and cart are deleted, and you get an e-mail with a link to choose a new password.
    </p>
    <Form form={formFor(null, path)} plain>
      <input type="hidden" name="token" value={token} />
      <Button tone="quiet">Delete the password and verify</Button>
    </Form>
  </details>
);

/**
 * The page on which the account signs in: staff in the panel, customers in the shop. Null if the shop's address is not
 * set.
 */
export type SignInPlace = { href: string; label: string } | null;

export const PANEL_SIGN_IN: SignInPlace = { href: "/admin/sign-in", label: "Sign in to the panel" };

export const donePage = (c: PageContext, title: string, text: string, place: SignInPlace, sign: Sign = "done") =>
  page(
    c,
    title,
    <div class="card narrow">
      <Sign of={sign} />
      <h1>{title}</h1>
      <p>{text}</p>
      {place && (
        <LinkButton href={place.href} tone="primary">
          {place.label}
        </LinkButton>
      )}
    </div>,
  );
