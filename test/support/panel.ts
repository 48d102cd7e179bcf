import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { app } from "../../src/app.ts";
import { beginSession, signPanelToken } from "../../src/panel/session/token.ts";
import { anAddress, ORIGIN } from "./call.ts";
import { aUser, settings } from "./shop.ts";

export type Page = { status: number; headers: Headers; html: string; location: string | null };

type Fields = Record<string, string | string[]>;

/** A browser as far as the panel can tell: it keeps cookies, and says that its forms come from the panel's own pages. */
export function aVisitor(cookies: Record<string, string> = {}, address = anAddress()) {
  const jar = new Map(Object.entries(cookies));

  async function send(request: Request, bindings: Partial<Env>): Promise<Page> {
    const context = createExecutionContext();
    const response = await app.fetch(request, { ...env, ...bindings }, context);
    const html = await response.text();
    await waitOnExecutionContext(context);
    for (const cookie of response.headers.getSetCookie()) keep(cookie);
    return { status: response.status, headers: response.headers, html, location: response.headers.get("Location") };
  }

  function keep(cookie: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/Max-Age=0(;|$)/i.test(cookie)) jar.delete(name);
    else jar.set(name, value);
  }

  const headers = () => ({
    "CF-Connecting-IP": address,
    Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
  });

  const get = (path: string, bindings: Partial<Env> = {}) =>
    send(new Request(`${ORIGIN}${path}`, { headers: headers() }), bindings);

  const post = (path: string, fields: Fields = {}, more: Record<string, string> = {}, bindings: Partial<Env> = {}) => {
    const body = new URLSearchParams(
      Object.entries(fields).flatMap(([name, value]) => [value].flat().map((each): [string, string] => [name, each])),
    );
    const own = { Origin: ORIGIN, "Sec-Fetch-Site": "same-origin" };
    return send(
      new Request(`${ORIGIN}${path}`, { method: "POST", headers: { ...headers(), ...own, ...more }, body }),
      bindings,
    );
  };

  return { jar, get, post, send: (request: Request) => send(request, {}), headers };
}

/** An administrator who is signed in to the panel. */
export async function anAdministrator(columns: Parameters<typeof aUser>[0] = {}) {
  const user = await aUser({ role: "admin", ...columns });
  const session = beginSession({ userId: user.id, sessionId: user.sessionId }, Date.now());
  const { token } = await signPanelToken(settings, session);
  return { ...user, ...aVisitor({ "__Host-panel": token }) };
}
