import { PICTURE } from "../openapi/examples/picture.ts";
import type { Caller } from "./callers.ts";
import type { Operation } from "./document.ts";
import { type Draft, FORM, type Sent } from "./requests.ts";
import type { World } from "./world.ts";

/** What went over the wire, and what came back. */
export type Exchange = {
  method: string;
  url: string;
  sent: unknown;
  status: number;
  headers: Headers;
  text: string;
  /** Whether a proxy answered instead of the shop, whose answers all name the request. */
  byProxy: boolean;
};

let sent = 0;

/** Sends a draft as a caller, from an address that nobody has sent from. */
export async function send(world: World, operation: Operation, draft: Draft, caller: Caller): Promise<Exchange> {
  const { method } = operation;
  const settle = (value: unknown) => world.settle(value, caller.own);
  const origin = originFor(world, draft);
  const url = origin + pathOf(operation.path, settle(draft.path)) + queryOf(settle(draft.query));
  const number = ++sent;
  const headers = new Headers({
    "CF-Connecting-IP": `2001:${(number >> 16).toString(16)}:${(number & 0xffff).toString(16)}::1`,
  });
  for (const [name, value] of Object.entries(draft.headers)) headers.set(name, asHeader(settle(value)));
  if (caller.authorization !== null) headers.set("Authorization", caller.authorization);
  const text = draft.body && settle(draft.body.text);
  const body = draft.body && (await bodyOf({ ...draft.body, text }, headers));
  const answer = await fetch(url, { method, headers, body: method === "GET" ? null : body, redirect: "manual" });
  return {
    method,
    url,
    sent: text,
    status: answer.status,
    headers: answer.headers,
    text: await answer.text(),
    byProxy: origin === world.proxy && !answer.headers.has("X-Request-Id"),
  };
}

/** A form with something wrong goes past the proxy: Prism ends on a field whose name holds a semicolon (its issue 2672). */
const originFor = ({ shop, proxy }: World, { spoiled, body }: Draft): string =>
  proxy === null || (spoiled && body?.type === FORM) ? shop : proxy;

/** Not what would make it another path: dots and nothing. */
export function pathOf(template: string, values: unknown): string {
  const segment = (value: unknown) =>
    encodeURIComponent(
      String(value)
        .toWellFormed()
        .replace(/^\.{0,2}$/, "x"),
    );
  return template.replace(/\{(\w+)\}/g, (_, name: string) => segment(Reflect.get(Object(values), name)));
}

function queryOf(values: unknown): string {
  const entries = Object.entries(Object(values)).map(([name, value]): [string, string] => [name, String(value)]);
  return entries.length > 0 ? `?${new URLSearchParams(entries)}` : "";
}

/** What fetch would not send is left out. */
const asHeader = (value: unknown): string => String(value).replace(/[^\x20-\x7e\x80-\xff]/g, "");

async function bodyOf({ type, text, raw }: Sent, headers: Headers): Promise<BodyInit | null> {
  if (!raw && type === FORM) {
    // In one piece: a form that is sent as a stream would meet a connection that an early refusal has closed.
    const form = new Response(formOf(text));
    headers.set("Content-Type", form.headers.get("Content-Type") ?? type);
    return form.arrayBuffer();
  }
  if (type !== null) headers.set("Content-Type", type);
  if (raw) return text instanceof Uint8Array ? new Blob([Uint8Array.from(text)]) : String(text);
  return JSON.stringify(text);
}

function formOf(fields: unknown): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(Object(fields))) {
    if (name === "file") continue;
    for (const one of [value].flat()) form.append(name, asField(one));
  }
  const { file } = Object(fields);
  if (file !== undefined) form.append("file", ...fileOf(asField(file)));
  return form;
}

/** An image, too: what takes one looks at its bytes. */
const fileOf = (text: string): [Blob, string] =>
  text.length % 2 === 0 ? [new Blob([PICTURE]), "fuzz.png"] : [new Blob([text]), "fuzz.txt"];

/** A value that is no text is sent as JSON: String() would call what it holds by the name of toString. */
const asField = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
