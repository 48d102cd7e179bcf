import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { app } from "../../src/app.ts";
import { beginSession, signPanelToken } from "../../src/panel/session/token.ts";
import { anAddress, ORIGIN } from "./call.ts";
import { withinQueries } from "./counting.ts";
import { aUser, settings } from "./shop.ts";

export type Page = { status: number; headers: Headers; html: string; location: string | null };

type Fields = Record<string, string | string[]>;

/** Values of the page's form for `action`, by field name, as a browser would submit them. */
export function fieldsOf({ html }: Page, action: string): Record<string, string[]> {
  const form = html.split(`action="${action}"`)[1]?.split("</form>")[0] ?? "";
  const fields: Record<string, string[]> = {};
  const add = (tag: string, value: string) => {
    const name = attribute(tag, "name");
    fields[name] = [...(fields[name] ?? []), unescaped(value)];
  };
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    if (!tag.includes('type="checkbox"') || / checked/.test(tag)) add(tag, attribute(tag, "value"));
  }
  for (const [, tag = "", text = ""] of form.matchAll(/<textarea([^>]*)>([^<]*)/g)) add(tag, text);
  for (const [, tag = "", options = ""] of form.matchAll(/<select([^>]*)>(.*?)<\/select>/gs)) {
    const all = [...options.matchAll(/<option[^>]*>/g)].map(([option]) => option);
    add(tag, attribute(all.find((option) => / selected/.test(option)) ?? all[0] ?? "", "value"));
  }
  return fields;
}

const attribute = (tag: string, name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "";

const unescaped = (text: string): string =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

/** Simulates a browser for the panel: it keeps cookies, and declares that its forms come from the panel's own pages. */
export function aVisitor(cookies: Record<string, string> = {}, address = anAddress()) {
  const jar = new Map(Object.entries(cookies));

  async function send(request: Request, bindings: Partial<Env>): Promise<Page> {
    const { response, html } = await withinQueries(bindings, async (counted) => {
      const context = createExecutionContext();
      const answer = await app.fetch(request, counted, context);
      // text() would warn, because the type is not text.
      const text = new TextDecoder().decode(await answer.arrayBuffer());
      await waitOnExecutionContext(context);
      return { response: answer, html: text };
    });
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

/** An administrator, or another member of staff, who is signed in to the panel. */
export async function anAdministrator(columns: Parameters<typeof aUser>[0] = {}) {
  const user = await aUser({ role: "admin", ...columns });
  const session = beginSession({ userId: user.id, sessionId: user.sessionId, authenticatedAt: Date.now() }, Date.now());
  const { token } = await signPanelToken(settings, session);
  return { ...user, ...aVisitor({ "__Host-panel": token }) };
}
