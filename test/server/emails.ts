import { fromAnAddress } from "./an-address.ts";

type Sending = { result: { messageId: string; to: string[]; subject: string }[] };
type Detail = { result: { subject: string; text: string; html: string } };

const STORE = "/cdn-cgi/local/explorer/api/local/email/sending";

/** E-mails that a local shop has sent to an address, newest first, as stored by the runtime. */
export async function emailsTo(baseUrl: string, address: string): Promise<Detail["result"][]> {
  const ask = async <Body>(query: string): Promise<Body> =>
    (await fetch(`${baseUrl}${STORE}?${query}`)).json() as Promise<Body>;
  const { result } = await ask<Sending>("per_page=100");
  const sent = result.filter(({ to }) => to.includes(address));
  return Promise.all(
    sent.map(async ({ messageId }) => (await ask<Detail>(`email_id=${encodeURIComponent(messageId)}`)).result),
  );
}

/**
 * Waits for an e-mail to the address with a link below /account, and returns the link's token. Ignores the token
 * `known`.
 */
export async function sentToken(baseUrl: string, address: string, page: string, known?: string): Promise<string> {
  const link = new RegExp(`/account/${page}\\?token=(\\S+)`);
  for (let tried = 0; tried < 120; tried++) {
    const tokens = (await emailsTo(baseUrl, address)).flatMap(({ text }) => link.exec(text)?.[1] ?? []);
    const [newest] = tokens;
    if (newest !== undefined && newest !== known) return newest;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`No e-mail to ${address} leads to /account/${page}`);
}

/** Follows the link in the e-mail sent to an address that has just signed up. */
export async function verifyEmail(baseUrl: string, address: string, password: string): Promise<void> {
  const token = await sentToken(baseUrl, address, "verify");
  const body = JSON.stringify({ token, password });
  const headers = { "Content-Type": "application/json", ...fromAnAddress() };
  const response = await fetch(`${baseUrl}/api/v1/user/auth/verify-email`, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`${address} was not verified: ${response.status}`);
}
