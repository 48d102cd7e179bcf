import { type Schema, StorefrontError } from "@storefront-worker/api/client";
import { Hono } from "hono";
import * as z from "zod";
import { findCart, forgetCart } from "../cart/my-cart.ts";
import { dropCookie, readCookie } from "../cookies.ts";
import type { AppEnv, ShopContext } from "../env.ts";
import { page } from "../page.tsx";
import { fieldsOf } from "../parts/form.ts";
import { formFor, orShowAgain, takeForm } from "../parts/kept-form.ts";
import { readSealedCookie, writeSealedCookie } from "../sealed-cookies.ts";
import { tell, tellRefusal } from "../told.ts";
import { clientAddress, clientHeaders } from "./client-address.ts";
import { localPath } from "./local-path.ts";
import { CodeForm, ForgotPasswordForm, LinkSent, SignInForm, SignUpForm, withNext } from "./pages.tsx";
import { forgetShopper, rememberShopper } from "./shopper.ts";

export const session = new Hono<AppEnv>()
  .get("/sign-in", async (c) => {
    if (c.var.shopper) return c.redirect(localPath(c.req.query("next") || "/account"), 303);
    return page(c, "Sign in", <SignInForm form={await asked(c)} />);
  })
  .post("/sign-in", async (c) => {
    const { email = "", password = "", next = "" } = await fieldsOf(c);
    const body = { email, password, ...guestCart(c) };
    return orShowAgain(c, withNext("/sign-in", next), { email, next }, async () => {
      const { data } = await c.var.shop.POST("/api/v1/user/auth/login", { params: { header: clientHeaders(c) }, body });
      if ("token" in data) return enter(c, data, next);
      await writeSealedCookie(c, "shop-code", { challenge: data.challenge, next }, secondsUntil(data.expires_at));
      return c.redirect("/sign-in/code", 303);
    });
  })
  .get("/sign-in/code", async (c) => {
    const waiting = await waitingSignIn(c);
    if (!waiting) return c.redirect("/sign-in", 303);
    const form = formFor(await takeForm(c), c.req.path);
    return page(c, "Enter your code", <CodeForm form={{ ...form, values: { next: waiting.next } }} />);
  })
  .post("/sign-in/code", async (c) => {
    const waiting = await waitingSignIn(c);
    if (!waiting) return c.redirect("/sign-in", 303);
    const { challenge, next } = waiting;
    const { code = "" } = await fieldsOf(c);
    const body = { challenge, code, ...guestCart(c) };
    return orShowAgain(c, c.req.path, {}, async () => {
      try {
        const params = { header: clientHeaders(c) };
        const { data } = await c.var.shop.POST("/api/v1/user/auth/login/two-factor", { params, body });
        dropCookie(c, "shop-code");
        return enter(c, data, next);
      } catch (error) {
        if (!(error instanceof StorefrontError && error.code === "invalid_challenge")) throw error;
        dropCookie(c, "shop-code");
        return tellRefusal(c, "The sign-in took too long. Start again.", withNext("/sign-in", next));
      }
    });
  })
  .get("/sign-up", async (c) => page(c, "Create an account", <SignUpForm form={await asked(c)} />))
  .post("/sign-up", async (c) => {
    const { name = "", email = "", password = "", next = "" } = await fieldsOf(c);
    const body = { name, email, password, ...guestCart(c) };
    return orShowAgain(c, withNext("/sign-up", next), { name, email, next }, async () => {
      const { data } = await c.var.shop.POST("/api/v1/user/auth/signup", {
        params: { header: clientHeaders(c) },
        body,
      });
      return enter(c, data, next, `Open the link that we sent to ${email} to verify your address.`);
    });
  })
  .get("/forgot-password", async (c) => page(c, "Forgot your password?", <ForgotPasswordForm form={await asked(c)} />))
  .post("/forgot-password", async (c) => {
    const { email = "" } = await fieldsOf(c);
    return orShowAgain(c, c.req.path, { email }, async () => {
      await c.var.shop.POST("/api/v1/user/auth/forgot-password", {
        params: { header: clientAddress(c) },
        body: { email },
      });
      return c.redirect("/forgot-password/sent", 303);
    });
  })
  .get("/forgot-password/sent", (c) => page(c, "Check your e-mail", <LinkSent />))
  .post("/sign-out", async (c) => {
    const refresh_token = readCookie(c, "shop-refresh");
    forgetShopper(c);
    forgetCart(c);
    dropCookie(c, "shop-orders");
    dropCookie(c, "shop-order-links");
    if (refresh_token !== undefined) await c.var.shop.POST("/api/v1/user/auth/logout", { body: { refresh_token } });
    return tell(c, "You are signed out.", "/");
  });

const asked = async (c: ShopContext) => formFor(await takeForm(c), c.req.path, { next: c.req.query("next") ?? "" });

/** The guest's cart token, so that the API merges the cart at sign-in. */
function guestCart(c: ShopContext): { cart_token?: string } {
  const cart_token = readCookie(c, "shop-cart");
  return cart_token === undefined ? {} : { cart_token };
}

const Waiting = z.object({ challenge: z.string(), next: z.string() });

/** The sign-in that waits for a code after the right password. */
const waitingSignIn = async (c: ShopContext) => Waiting.safeParse(await readSealedCookie(c, "shop-code")).data;

const secondsUntil = (time: string): number => Math.max(1, Math.floor((Date.parse(time) - Date.now()) / 1000));

async function enter(c: ShopContext, data: Schema["SignedInSession"], next: string, hint = ""): Promise<Response> {
  rememberShopper(c, data);
  dropCookie(c, "shop-cart");
  await findCart(c);
  return tell(
    c,
    [`Welcome, ${data.user.name}.`, hint, ...differences(data.cart_merge)].filter(Boolean).join(" "),
    localPath(next),
  );
}

const differences = (merge: Schema["CartMerge"] | null): string[] =>
  (merge?.differences ?? []).map(({ name, quantity }) => `Only ${quantity} of ${name} could be added to your cart.`);
