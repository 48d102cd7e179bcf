import { Hono } from "hono";
import type { Child } from "hono/jsx";
import type { AppEnv, ShopContext } from "../env.ts";
import { page } from "../page.tsx";
import { type Form, fieldsOf } from "../parts/form.ts";
import { formFor, orShowAgain, takeForm } from "../parts/kept-form.ts";
import { clientAddress, clientHeaders } from "../session/client-address.ts";
import { forgetShopper } from "../session/shopper.ts";
import { SignInFirst } from "../session/signed-in.ts";
import { tell } from "../told.ts";
import { ConfirmPage, ResetPage, RevertPage, VerifyPage } from "./pages.tsx";

/** Pages behind links in e-mails: the API's SHOP_URL is this shop's address. */
export const links = new Hono<AppEnv>()
  .get("/account/reset", (c) => linkPage(c, "Choose a new password", ResetPage))
  .post("/account/reset", (c) =>
    use(c, async ({ token = "", password = "" }) => {
      const params = { header: clientHeaders(c) };
      const { data } = await c.var.shop.POST("/api/v1/user/auth/reset-password", { params, body: { token, password } });
      forgetShopper(c);
      // Signing in merges the guest's cart and asks for the second factor, so the new session is not used.
      if ("token" in data)
        await c.var.shop.POST("/api/v1/user/auth/logout", { body: { refresh_token: data.refresh_token } });
      return tell(c, "Your password is changed. Sign in with the new one.", "/sign-in");
    }),
  )
  .get("/account/verify", async (c) => {
    const waiting = await waitingAddress(c);
    return linkPage(c, "Verify your address", (props) => <VerifyPage {...props} waiting={waiting} />);
  })
  .post("/account/verify", (c) =>
    use(c, (values) => {
      // Without the session that the page relied on, the API would reset the account.
      if (values.proof === "session" && !c.var.shopper) throw new SignInFirst();
      return verify(c, values);
    }),
  )
  .get("/account/confirm", (c) => linkPage(c, "Confirm your new address", ConfirmPage))
  .post("/account/confirm", (c) => use(c, (values) => verify(c, { ...values, proof: "session" })))
  .get("/account/revert", (c) => linkPage(c, "Restore your previous address", RevertPage))
  .post("/account/revert", (c) =>
    use(c, async ({ token = "" }) => {
      await c.var.shop.POST("/api/v1/user/auth/revert-email", {
        params: { header: clientAddress(c) },
        body: { token },
      });
      forgetShopper(c);
      const next = "All sessions have ended. We sent an e-mail with a link to choose a new password.";
      return tell(c, `Your account has its previous address again. ${next}`, "/sign-in");
    }),
  );

type LinkPage = (props: { form: Form; token: string; action: string }) => Child;

async function linkPage(c: ShopContext, title: string, Content: LinkPage): Promise<Response> {
  const action = c.req.path;
  const form = formFor(await takeForm(c), action);
  return page(c, title, <Content form={form} token={c.req.query("token") ?? ""} action={action} />);
}

/** Performs the action of a link. If the API refuses it, the link's page shows why. */
async function use(c: ShopContext, act: (values: Form["values"]) => Promise<Response>): Promise<Response> {
  const values = await fieldsOf(c);
  const path = `${c.req.path}?token=${encodeURIComponent(values.token ?? "")}`;
  return orShowAgain(c, path, {}, () => act(values));
}

/** The signed-in shopper's address, if it is not verified. */
async function waitingAddress({ var: { shopper } }: ShopContext): Promise<string | null> {
  if (!shopper) return null;
  const { data } = await shopper.GET("/api/v1/user/account/profile");
  return data.email_verified_at === null ? data.email : null;
}

/**
 * Verifies an address. The shopper's session or the password proves who owns the account. Without either, the API
 * resets it.
 */
async function verify(c: ShopContext, { token = "", password, proof }: Form["values"]): Promise<Response> {
  const api = (proof === "session" && c.var.shopper) || c.var.shop;
  const body = { token, ...(proof === undefined && { password: password ?? "" }) };
  const params = { header: clientAddress(c) };
  const { data } = await api.POST("/api/v1/user/auth/verify-email", { params, body });
  const next = c.var.shopper ? "/account" : "/sign-in";
  if (data.email_verified_at === null) {
    return tell(c, `The address of your account is now ${data.email}. We sent a link to verify it.`, next);
  }
  if (!data.new_password_needed) return tell(c, `${data.email} is verified.`, next);
  forgetShopper(c);
  return tell(c, `${data.email} is verified. We sent an e-mail with a link to choose a new password.`, "/sign-in");
}
