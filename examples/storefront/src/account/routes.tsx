import type { Schema } from "@storefront-worker/api/client";
import { Hono } from "hono";
import type { AppEnv, ShopContext } from "../env.ts";
import { fieldsOf } from "../parts/form.ts";
import { formFor, orShowAgain, takeForm } from "../parts/kept-form.ts";
import { formatMoney } from "../parts/money.tsx";
import { unlessRefused } from "../parts/unless-refused.ts";
import { forgetShopper } from "../session/shopper.ts";
import { me } from "../session/signed-in.ts";
import { tell } from "../told.ts";
import { AppsPage } from "./apps-page.tsx";
import { accountPage } from "./area.tsx";
import { Overview } from "./overview.tsx";
import { ProfilePage } from "./profile-page.tsx";
import { DeletePage, PasswordPage, SessionsPage } from "./security-pages.tsx";

export const account = new Hono<AppEnv>()
  .get("/account", async (c) => {
    const first = { params: { query: { per_page: 1 } } };
    const [profile, orders, addresses] = await Promise.all([
      profileOf(c),
      me(c).GET("/api/v1/user/account/orders", first),
      me(c).GET("/api/v1/user/account/addresses", first),
    ]);
    const giftCard = formFor(await takeForm(c), "/account/gift-card");
    const content = (
      <Overview profile={profile} order={orders.data[0]} address={addresses.data[0]} giftCard={giftCard} />
    );
    return accountPage(c, "Your account", content);
  })
  .post("/account/gift-card", async (c) => {
    const { code = "" } = await fieldsOf(c);
    return orShowAgain(c, "/account#wallet", { code }, async () => {
      const { data } = await me(c).POST("/api/v1/user/account/gift-cards/redeem", { body: { code } });
      return tell(c, `${formatMoney(data)} was added to your wallet.`, "/account");
    });
  })
  .get("/account/profile", async (c) => {
    const profile = await profileOf(c);
    const { name, phone, company, accepts_marketing } = profile;
    const kept = await takeForm(c);
    const details = formFor(kept, "/account/profile", {
      name,
      phone: phone ?? "",
      company: company ?? "",
      accepts_marketing: accepts_marketing ? "yes" : "",
    });
    const email = formFor(kept, "/account/email");
    return accountPage(c, "Profile", <ProfilePage profile={profile} details={details} email={email} />);
  })
  .post("/account/profile", async (c) => {
    const values = await fieldsOf(c);
    const { name = "", phone, company, accepts_marketing } = values;
    const body = {
      name,
      phone: phone || null,
      company: company || null,
      accepts_marketing: accepts_marketing === "yes",
    };
    return orShowAgain(c, c.req.path, values, async () => {
      await me(c).PUT("/api/v1/user/account/profile", { body });
      return tell(c, "Your profile is saved.", "/account/profile");
    });
  })
  .post("/account/email", async (c) => {
    const { email = "", current_password = "" } = await fieldsOf(c);
    return orShowAgain(c, "/account/profile#email-address", { email }, async () => {
      const { data } = await me(c).PUT("/api/v1/user/account/profile", { body: { email, current_password } });
      const { pending_email } = data;
      if (pending_email === null) return tell(c, `${data.email} is the address of your account.`, "/account/profile");
      return tell(c, `We sent a link to ${pending_email}. Open it to change the address.`, "/account/profile");
    });
  })
  .post("/account/email/link", (c) =>
    unlessRefused(c, "/account", async () => {
      await me(c).POST("/api/v1/user/auth/verify-email/resend", { body: {} });
      return tell(c, "We sent the link again. Only the newest one works.", "/account");
    }),
  )
  .get("/account/password", async (c) => {
    me(c);
    return accountPage(c, "Password", <PasswordPage form={formFor(await takeForm(c), c.req.path)} />);
  })
  .post("/account/password", async (c) => {
    const { password = "", current_password = "" } = await fieldsOf(c);
    return orShowAgain(c, c.req.path, {}, async () => {
      await me(c).PUT("/api/v1/user/account/profile", { body: { password, current_password } });
      return tell(c, "Your password is changed, and you are signed out everywhere else.", "/account/password");
    });
  })
  .get("/account/sessions", async (c) => {
    const sessions = (await sessionsOf(c)).filter(({ app }) => app === null);
    return accountPage(c, "Devices", <SessionsPage sessions={sessions} />);
  })
  .post("/account/sessions/end-others", async (c) => {
    await me(c).DELETE("/api/v1/user/account/sessions");
    return tell(c, "You are signed out everywhere else.", "/account/sessions");
  })
  .post("/account/sessions/:id/end", (c) =>
    unlessRefused(c, "/account/sessions", async () => {
      await endSession(c, c.req.param("id"));
      return tell(c, "The device is signed out.", "/account/sessions");
    }),
  )
  .get("/account/apps", async (c) => {
    const sessions = (await sessionsOf(c)).filter(({ app }) => app !== null);
    return accountPage(c, "Connected apps", <AppsPage sessions={sessions} />);
  })
  .post("/account/apps/:id/remove", (c) =>
    unlessRefused(c, "/account/apps", async () => {
      await endSession(c, c.req.param("id"));
      return tell(c, "The app is removed.", "/account/apps");
    }),
  )
  .get("/account/delete", async (c) => {
    const [profile, kept] = [await profileOf(c), await takeForm(c)];
    return accountPage(c, "Delete account", <DeletePage form={formFor(kept, c.req.path)} profile={profile} />);
  })
  .post("/account/delete", async (c) => {
    const { current_password = "" } = await fieldsOf(c);
    return orShowAgain(c, c.req.path, {}, async () => {
      await me(c).DELETE("/api/v1/user/account", { body: { current_password } });
      forgetShopper(c);
      return tell(c, "Your account will be erased in seven days. To keep it, sign in before then.", "/");
    });
  })
  .post("/account/keep", (c) =>
    unlessRefused(c, "/account", async () => {
      await me(c).POST("/api/v1/user/account/restore", { body: {} });
      return tell(c, "Your account is kept.", "/account");
    }),
  )
  .get("/account/data", async (c) => {
    const { data } = await me(c).GET("/api/v1/user/account/export");
    return c.body(JSON.stringify(data, null, 2), 200, {
      "Content-Type": "application/json",
      "Content-Disposition": 'attachment; filename="my-data.json"',
    });
  });

async function sessionsOf(c: ShopContext): Promise<Schema["AccountSession"][]> {
  return (await me(c).GET("/api/v1/user/account/sessions", { params: { query: { per_page: 100 } } })).data;
}

const endSession = (c: ShopContext, id: string) =>
  me(c).DELETE("/api/v1/user/account/sessions/{id}", { params: { path: { id } } });

async function profileOf(c: ShopContext): Promise<Schema["Profile"]> {
  return (await me(c).GET("/api/v1/user/account/profile")).data;
}
