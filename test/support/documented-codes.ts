import { codesOf } from "../../scripts/openapi/refusals.ts";
import { routes } from "../../scripts/openapi/routes.ts";

// The codes that each operation documents are read from its route, as the OpenAPI document is.

let documented: Promise<{ method: string; path: RegExp; codes: Record<string, readonly string[]> }[]> | undefined;

const read = async () =>
  (await routes()).map((route) => ({
    method: route.method.toUpperCase(),
    path: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    codes: codesOf(route),
  }));

type Answered = { method: string; path: string; status: number; code: string };

/** Throws if an operation of the API answered with an error that it does not document. */
export async function requireDocumented({ method, path, status, code }: Answered): Promise<void> {
  documented ??= read();
  const found = (await documented).find((route) => route.method === method && route.path.test(path));
  if (!found || found.codes[status]?.includes(code)) return;
  throw new Error(`${method} ${path} answered ${status} ${code}. Add the code to "refuses" of the route`);
}
