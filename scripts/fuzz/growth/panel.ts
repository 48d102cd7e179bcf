import type { World } from "../world.ts";
import type { SeedData, Target } from "./dimensions.ts";

// The panel's routes, found by following links and forms.

/** Pages of single rows are alike, so one of each kind is enough. */
const shapeOf = (path: string): string => path.replace(/\d+/g, "{id}");

const attribute = (tag: string, name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "";

const SIGN_IN = "/admin/sign-in";

const unescaped = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");

/** Signs in, follows every link and returns all pages and forms found. */
export async function panelTargets(world: World): Promise<Target[]> {
  const visitor = new Visitor(world);
  const found = new Map<string, Target>();
  const waiting = ["/admin", SIGN_IN];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const url = new URL(next, world.shop);
    const name = `GET ${shapeOf(url.pathname)}`;
    if (found.has(name)) continue;
    const query = Object.fromEntries(url.searchParams);
    found.set(name, targetOf(world, name, url.pathname, { query, headers: {}, body: null }));
    const answer = await fetch(url, { headers: await visitor.headersFor(url.pathname), redirect: "manual" });
    const html = answer.headers.get("Content-Type")?.startsWith("text/html") ? await answer.text() : "";
    for (const [, path = ""] of html.matchAll(/ href="(\/admin(?!-assets)[^"#]*)"/g)) waiting.push(unescaped(path));
    for (const [tag, inner = ""] of html.matchAll(/<form[^>]*>(.*?)<\/form>/gs)) {
      // A form without an action is sent to its own page.
      const path = attribute(tag, "action") || url.pathname;
      const isPost = attribute(tag, "method") === "post" && !tag.includes("multipart");
      if (!isPost || !path.startsWith("/admin") || path === "/admin/sign-out") continue;
      const form = `POST ${shapeOf(path)}`;
      const seedling: SeedData = { query: {}, headers: {}, body: { kind: "form", fields: fieldsOf(inner) } };
      if (!found.has(form)) found.set(form, targetOf(world, form, path, seedling));
    }
  }
  return [...found.values()];
}

/** A member of staff. Another signs in once its rate limit is used up. */
class Visitor {
  readonly #world: World;
  #cookie = "";
  #left = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** The sign-in page is visited without a session. */
  async headersFor(path: string): Promise<Record<string, string>> {
    const headers = { Origin: this.#world.shop, "Sec-Fetch-Site": "same-origin" };
    if (path === SIGN_IN) return headers;
    if (this.#left-- <= 0) {
      this.#cookie = await signIn(this.#world);
      this.#left = 50;
    }
    return { ...headers, Cookie: this.#cookie };
  }
}

function fieldsOf(form: string): [string, string][] {
  const tags = [...form.matchAll(/<(?:input|textarea|select)[^>]*>/g)].map(([tag]) => tag);
  return tags.flatMap((tag): [string, string][] => {
    const name = attribute(tag, "name");
    return name ? [[name, unescaped(attribute(tag, "value"))]] : [];
  });
}

let signedIn = 0;

async function signIn(world: World): Promise<string> {
  const body = new URLSearchParams(await world.newStaffLogin());
  const headers = {
    Origin: world.shop,
    "Sec-Fetch-Site": "same-origin",
    "CF-Connecting-IP": `2001:db8:${(++signedIn).toString(16)}::1`,
  };
  const answer = await fetch(world.shop + SIGN_IN, { method: "POST", headers, body, redirect: "manual" });
  if (answer.status !== 303) throw new Error(`Nobody could sign in to the panel: ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
}

/** Uses its own visitor, since a route may end the session. */
function targetOf(world: World, name: string, path: string, seedling: SeedData): Target {
  const visitor = new Visitor(world);
  return {
    name,
    open: async () => ({
      url: world.shop + path,
      method: name.split(" ")[0] ?? "GET",
      seedling: { ...seedling, headers: await visitor.headersFor(path) },
    }),
  };
}
