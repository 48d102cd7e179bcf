import type { World } from "../world.ts";
import type { Seedling } from "./dimensions.ts";
import type { Target } from "./run.ts";

// The panel's routes, found as a person finds them: by the links and forms of its pages.

/** Pages that are as many as there are rows are all alike: one of each is enough. */
const shapeOf = (path: string): string => path.replace(/\d+/g, "{id}");

const attribute = (tag: string, name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "";

const unescaped = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");

/** Signs in, follows every link, and answers all pages and forms that it has found. */
export async function panelTargets(world: World): Promise<Target[]> {
  const cookie = await signIn(world);
  const found = new Map<string, Target>();
  const waiting = ["/admin", "/admin/sign-in"];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const url = new URL(next, world.shop);
    const name = `GET ${shapeOf(url.pathname)}`;
    if (found.has(name)) continue;
    const query = Object.fromEntries(url.searchParams);
    found.set(name, targetOf(world, name, url.pathname, cookie, { query, headers: {}, body: null }));
    const answer = await fetch(url, { headers: { Cookie: cookie }, redirect: "manual" });
    const html = answer.headers.get("Content-Type")?.startsWith("text/html") ? await answer.text() : "";
    for (const [, path = ""] of html.matchAll(/ href="(\/admin(?!-assets)[^"#]*)"/g)) waiting.push(unescaped(path));
    for (const [tag, inner = ""] of html.matchAll(/<form [^>]*>(.*?)<\/form>/gs)) {
      const path = attribute(tag, "action");
      const isPost = attribute(tag, "method") === "post" && !tag.includes("multipart");
      if (!isPost || !path.startsWith("/admin") || path === "/admin/sign-out") continue;
      const form = `POST ${shapeOf(path)}`;
      const seedling: Seedling = { query: {}, headers: {}, body: { kind: "form", fields: fieldsOf(inner) } };
      if (!found.has(form)) found.set(form, targetOf(world, form, path, cookie, seedling));
    }
  }
  return [...found.values()];
}

function fieldsOf(form: string): [string, string][] {
  const tags = [...form.matchAll(/<(?:input|textarea|select)[^>]*>/g)].map(([tag]) => tag);
  return tags.flatMap((tag): [string, string][] => {
    const name = attribute(tag, "name");
    return name ? [[name, unescaped(attribute(tag, "value"))]] : [];
  });
}

async function signIn(world: World): Promise<string> {
  const body = new URLSearchParams(await world.newStaffLogin());
  const headers = { Origin: world.shop, "Sec-Fetch-Site": "same-origin", "CF-Connecting-IP": "192.0.2.1" };
  const answer = await fetch(`${world.shop}/admin/sign-in`, { method: "POST", headers, body, redirect: "manual" });
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
}

/** Signed in, except for the forms that anybody may send. */
const targetOf = (world: World, name: string, path: string, cookie: string, seedling: Seedling): Target => ({
  name,
  open: async () => ({
    url: world.shop + path,
    method: name.split(" ")[0] ?? "GET",
    seedling: {
      ...seedling,
      headers: {
        Origin: world.shop,
        "Sec-Fetch-Site": "same-origin",
        ...(path !== "/admin/sign-in" && { Cookie: cookie }),
      },
    },
  }),
});
