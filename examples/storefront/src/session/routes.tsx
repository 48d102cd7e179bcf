import { Hono } from "hono";
import { type Schema, StorefrontError } from "storefront/client";
import { findCart, forgetCart } from "../cart/my-cart.ts";
import { forgetDraft } from "../checkout/draft.ts";
import { dropCookie, readCookie } from "../cookies.ts";
import type { AppEnv, ShopContext } from "../env.ts";
import { page } from "../page.tsx";
import { type Form, fieldsOf } from "../parts/form.ts";
import { tell } from "../told.ts";
import { clientAddress } from "./client-address.ts";
import { localPath } from "./local-path.ts";
import { CodeForm, SignInForm, SignUpForm } from "./pages.tsx";
import { forgetShopper, rememberShopper } from "./shopper.ts";

export const session = new Hono<AppEnv>()
  .get("/sign-in", (c) => page(c, "Sign in", <SignInForm form={asked(c)} />))
  .post("/sign-in", async (c) => {
    const values = await fieldsOf(c);
    const { email = "", password = "" } = values;
    const body = { email, password, ...guestCart(c) };
    try {
      const { data } = await c.var.shop.POST("/api/v1/user/auth/login", { params: { header: clientAddress(c) }, body });
      if ("token" in data) return enter(c, data, values.next);
      const form = { values: { next: values.next ?? "", challenge: data.challenge }, errors: {} };
      return page(c, "Sign in", <CodeForm form={form} />);
    } catch (error) {
      const form = refusedForm(c, error, values);
      return page(c, "Sign in", <SignInForm form={form} />);
    }
  })
  .post("/sign-in/code", async (c) => {
    const values = await fieldsOf(c);
    const { challenge = "", code = "" } = values;
    const body = { challenge, code, ...guestCart(c) };
    try {
      const { data } = await c.var.shop.POST("/api/v1/user/auth/login/two-factor", {
        params: { header: clientAddress(c) },
        body,
      });
      return enter(c, data, values.next);
    } catch (error) {
      const form = refusedForm(c, error, values);
      return page(c, "Sign in", <CodeForm form={form} />);
    }
  })
  .get("/sign-up", (c) => page(c, "Create an account", <SignUpForm form={asked(c)} />))
  .post("/sign-up", async (c) => {
    const values = await fieldsOf(c);
    const { name = "", email = "", password = "" } = values;
    const body = { name, email, password, ...guestCart(c) };
    try {
      const { data } = await c.var.shop.POST("/api/v1/user/auth/signup", {
        params: { header: clientAddress(c) },
        body,
      });
      return enter(c, data, values.next);
    } catch (error) {
      const form = refusedForm(c, error, values);
      return page(c, "Create an account", <SignUpForm form={form} />);
    }
  })
  .post("/sign-out", async (c) => {
    const refresh_token = readCookie(c, "shop-refresh");
    forgetShopper(c);
    forgetCart(c);
    dropCookie(c, "shop-orders");
    if (refresh_token !== undefined) await c.var.shop.POST("/api/v1/user/auth/logout", { body: { refresh_token } });
    forgetDraft(c);
    return tell(c, "You are signed out.", "/");
  });

const asked = (c: ShopContext): Form => ({ values: { next: c.req.query("next") ?? "" }, errors: {} });

/** The guest's cart token, so that the API merges the cart at sign-in. */
function guestCart(c: ShopContext): { cart_token?: string } {
  const cart_token = readCookie(c, "shop-cart");
  return cart_token === undefined ? {} : { cart_token };
}

async function enter(c: ShopContext, data: Schema["SignedInSession"], next = ""): Promise<Response> {
  rememberShopper(c, data);
  dropCookie(c, "shop-cart");
  await findCart(c);
  return tell(c, [`Welcome, ${data.user.name}.`, ...differences(data.cart_merge)].join(" "), localPath(next));
}

const differences = (merge: Schema["CartMerge"] | null): string[] =>
  (merge?.differences ?? []).map(({ name, quantity }) => `Only ${quantity} of ${name} could be added to your cart.`);

/** The form with the API's errors. Rethrows errors that are not about the form. */
function refusedForm(c: ShopContext, error: unknown, values: Form["values"]): Form {
  if (!(error instanceof StorefrontError)) throw error;
  const isTooManyAttempts = error.code === "too_many_attempts";
  if (![400, 401].includes(error.status) && !isTooManyAttempts) throw error;
  c.status(isTooManyAttempts ? 429 : 400);
  return { values, errors: error.errors, message: error.message };
}
