import { PICTURE } from "../openapi/examples/picture.ts";
import type { Caller } from "./callers.ts";
import type { Operation } from "./document.ts";
import { type Draft, FORM, type SentBody } from "./requests.ts";
import type { World } from "./world.ts";

/** A request and its response on the wire. */
export type Exchange = {
  method: string;
  url: string;
  sent: unknown;
  status: number;
  headers: Headers;
  text: string;
};

let sent = 0;

/**
 * An unused /64. Ten share a /48, because each limited /48 costs a Durable Object, which is more than most requests
 * cost.
 */
function nextAddress(): string {
  const number = sent++;
  const network = Math.floor(number / 10);
  return `2001:${(network >> 16).toString(16)}:${(network & 0xffff).toString(16)}:${number % 10}::1`;
}

/** Sends a draft as a caller, from an unused address. */
export async function send(world: World, operation: Operation, draft: Draft, caller: Caller): Promise<Exchange> {
  const { method } = operation;
  const settle = (value: unknown) => world.settle(value, caller.own);
  const url = world.shop + pathOf(operation.path, settle(draft.path)) + queryOf(settle(draft.query));
  const headers = new Headers({ "CF-Connecting-IP": nextAddress() });
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
  };
}

/** Leaves out values that would change the path: dots and empty text. */
function pathOf(template: string, values: unknown): string {
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

/** Removes characters that fetch refuses to send. */
const asHeader = (value: unknown): string => String(value).replace(/[^\x20-\x7e\x80-\xff]/g, "");

async function bodyOf({ type, text, raw }: SentBody, headers: Headers): Promise<BodyInit | null> {
  if (!raw && type === FORM) {
    // Buffered, because a streamed form would meet a connection closed by an early refusal.
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

/** An image, because image routes check the bytes. */
const fileOf = (text: string): [Blob, string] =>
  text.length % 2 === 0 ? [new Blob([PICTURE]), "fuzz.png"] : [new Blob([text]), "fuzz.txt"];

/** Values other than text are sent as JSON: String() would call their toString. */
const asField = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
