import { sentToken } from "../../../test/server/emails.ts";
import type { Shop } from "./shop.ts";
import { useTwoFactor } from "./two-factor.ts";

const ACCOUNT = { email: "robin@example.com", password: "a long walk by the sea" };
const ADDRESS = { name: "Robin Reader", address: "12 Harbour Row", city: "Bristol", zip: "BS1 5TY" };
const NEW_EMAIL = "robin.reader@example.com";

/** Signs up, uses the account and schedules its erasure, in the order of the reference. */
export async function useAccount(shop: Shop, casey: string): Promise<void> {
  await shop.record("signUp", { body: { ...ACCOUNT, name: "Robin Reader" } });
  const first = await shop.record("logIn", { body: ACCOUNT });
  shop.tokens.customer = first.token;
  const renewed = await shop.record("refreshSession", { body: { refresh_token: first.refresh_token } });
  await shop.record("reauthenticate", { body: { current_password: ACCOUNT.password } });
  await shop.record("resendVerification", { body: {} });
  const token = await sentToken(shop.access.base_url, ACCOUNT.email, "verify");
  await shop.record("verifyEmail", { body: { token, password: ACCOUNT.password } });
  await shop.record("logOut", { body: { refresh_token: renewed.refresh_token } });
  await recover(shop);

  await download(shop, casey);
  await shop.record("listMyDownloadPackages", { as: casey, query: { per_page: "1" } });

  await shop.record("getMyProfile");
  await shop.record("updateMyProfile", { body: { name: "Robin A. Reader" } });
  const { id } = await shop.record("createMyAddress", { body: { ...ADDRESS, country: "GB", default: true } });
  const book = { path: { id } };
  await shop.record("listMyAddresses");
  await shop.record("getMyAddress", book);
  await shop.record("updateMyAddress", { ...book, body: { address2: "Second floor" } });
  await shop.record("exportMyData");
  await shop.record("restoreMyAccount", { body: {} });
  await useTwoFactor(shop, shop.tokens.customer, ACCOUNT);
  await shop.ask("logIn", { body: ACCOUNT });
  const sessions: Session[] = await shop.record("listMySessions", { query: { per_page: "2" } });
  await shop.record("listMyTransactions", { as: casey, query: { per_page: "2" } });
  await shop.record("deleteMyAddress", book);
  const other = sessions.find(({ current }) => !current);
  await shop.record("revokeMySession", { path: { id: String(other?.id) } });
  await shop.record("revokeMyOtherSessions");
  await shop.record("deleteMyAccount", { body: { current_password: ACCOUNT.password } });
}

type Session = { id: string; current: boolean };

/** Chooses a new password twice: by the link for it, and after an undone change of the e-mail address. */
async function recover(shop: Shop): Promise<void> {
  const { base_url } = shop.access;
  await shop.record("forgotPassword", { body: { email: ACCOUNT.email } });
  const ended = await sentToken(base_url, ACCOUNT.email, "reset");
  const { token: as } = await shop.ask("logIn", { body: ACCOUNT });
  await shop.ask("updateMyProfile", { as, body: { email: NEW_EMAIL, current_password: ACCOUNT.password } });
  await shop.ask("verifyEmail", { body: { token: await sentToken(base_url, NEW_EMAIL, "confirm") } });
  await shop.record("revertEmail", { body: { token: await sentToken(base_url, ACCOUNT.email, "revert") } });
  const token = await sentToken(base_url, ACCOUNT.email, "reset", ended);
  await shop.record("resetPassword", { body: { token, password: ACCOUNT.password } });
  shop.tokens.customer = (await shop.ask("logIn", { body: ACCOUNT })).token;
}

/** A public file of the demo shop, which is sent by a link. */
const GUIDE = "2";

async function download(shop: Shop, casey: string): Promise<void> {
  await shop.record("listFiles", { query: { per_page: "1" } });
  const link = await shop.record("downloadFile", { as: casey, query: { file_id: GUIDE } });
  const followed = { as: casey, query: { token: new URL(link.url).searchParams.get("token") ?? "" } };
  await shop.record("followDownloadLink", followed);
  await shop.beRefused(416, "followDownloadLink", { ...followed, headers: { Range: "bytes=999999999999-" } });
}
