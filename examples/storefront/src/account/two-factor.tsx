import { Hono } from "hono";
import * as z from "zod";
import { dropCookie } from "../cookies.ts";
import type { AppEnv, ShopContext } from "../env.ts";
import { fieldsOf } from "../parts/form.ts";
import { formFor, orShowAgain, takeForm } from "../parts/kept-form.ts";
import { readSealedCookie, writeSealedCookie } from "../sealed-cookies.ts";
import { me } from "../session/signed-in.ts";
import { tell } from "../told.ts";
import { accountPage } from "./area.tsx";
import { CodesPage, EnrolPage, TwoFactorPage } from "./two-factor-pages.tsx";

const PAGE = "/account/two-factor";
const TITLE = "Two-step sign-in";

/** Time to scan the QR code. */
const ENROLMENT_SECONDS = 10 * 60;
/** Recovery codes are only shown by the next page. */
const CODES_SECONDS = 60;

/** Content of the next page: the secret for the shopper's app, or new recovery codes. */
const Waiting = z.union([
  z.object({ secret: z.string(), uri: z.string() }),
  z.object({ recovery_codes: z.array(z.string()) }),
]);

/** The second factor of the shopper's account. */
export const twoFactor = new Hono<AppEnv>()
  .get(PAGE, async (c) => {
    const kept = await takeForm(c);
    const { data: waiting } = Waiting.safeParse(await readSealedCookie(c, "shop-factor"));
    const { data: status } = await me(c).GET("/api/v1/user/account/two-factor");
    if (waiting && "recovery_codes" in waiting) {
      dropCookie(c, "shop-factor");
      return accountPage(c, TITLE, <CodesPage codes={waiting.recovery_codes} />);
    }
    if (waiting && !status.enabled) {
      return accountPage(c, TITLE, <EnrolPage {...waiting} form={formFor(kept, `${PAGE}/confirm`)} />);
    }
    const form = kept ?? { values: {}, errors: {} };
    return accountPage(c, TITLE, <TwoFactorPage status={status} form={form} />);
  })
  .post(PAGE, async (c) => {
    const { current_password = "" } = await fieldsOf(c);
    return orShowAgain(c, PAGE, {}, async () => {
      const { data } = await me(c).POST("/api/v1/user/account/two-factor", { body: { current_password } });
      await writeSealedCookie(c, "shop-factor", { secret: data.secret, uri: data.uri }, ENROLMENT_SECONDS);
      return c.redirect(PAGE, 303);
    });
  })
  .post(`${PAGE}/cancel`, (c) => {
    dropCookie(c, "shop-factor");
    return c.redirect(PAGE, 303);
  })
  .post(`${PAGE}/confirm`, (c) =>
    withCode(c, async (code) => {
      const { data } = await me(c).POST("/api/v1/user/account/two-factor/confirm", { body: { code } });
      return showCodes(c, data.recovery_codes, "Two-step sign-in is on.");
    }),
  )
  .post(`${PAGE}/recovery-codes`, (c) =>
    withCode(c, async (code) => {
      const { data } = await me(c).POST("/api/v1/user/account/two-factor/recovery-codes", { body: { code } });
      return showCodes(c, data.recovery_codes, "Your earlier recovery codes no longer work.");
    }),
  )
  .post(`${PAGE}/disable`, (c) =>
    withCode(c, async (code) => {
      await me(c).POST("/api/v1/user/account/two-factor/disable", { body: { code } });
      return tell(c, "Two-step sign-in is off.", PAGE);
    }),
  );

async function withCode(c: ShopContext, act: (code: string) => Promise<Response>): Promise<Response> {
  const { code = "" } = await fieldsOf(c);
  return orShowAgain(c, PAGE, {}, () => act(code));
}

async function showCodes(c: ShopContext, recovery_codes: string[], words: string): Promise<Response> {
  await writeSealedCookie(c, "shop-factor", { recovery_codes }, CODES_SECONDS);
  return tell(c, words, PAGE);
}
