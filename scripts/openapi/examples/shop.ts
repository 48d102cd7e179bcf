import type { DemoAccess } from "../../credentials.ts";
import { credentialOf, type OpenApi, type Operation, operationsOf } from "../shape.ts";
import type { Example, RecordedExchange } from "./add.ts";
import { masked } from "./mask.ts";
import { shortened } from "./shorten.ts";

export type ExampleRequest = {
  /** An API key or a user's token. Anonymous if omitted; `record` sends what the operation's sample sends. */
  as?: string;
  path?: Record<string, string | number>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  form?: FormData;
  bytes?: Uint8Array<ArrayBuffer>;
};

/** Calls operations of a running shop by name and records the responses. */
export function shopAt(access: DemoAccess & { base_url: string }, document: OpenApi) {
  const recorded: RecordedExchange = { operations: {}, refusals: {}, webhooks: {} };
  const operations = operationsOf(document);
  const shown = (value: unknown) => masked(shortened(value), access.base_url);
  /** Tokens of the administrator, and of the customer who signed in last. */
  const tokens = { admin: "", customer: "" };

  function operationOf(id: string): Operation {
    const operation = operations.get(id);
    if (!operation) throw new Error(`There is no operation ${id}`);
    return operation;
  }

  async function send(id: string, sent: ExampleRequest) {
    const operation = operationOf(id);
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => String(sent.path?.[name]));
    const url = new URL(path, access.base_url);
    url.search = new URLSearchParams(sent.query).toString();
    const response = await fetch(url, { method: operation.method.toUpperCase(), ...contentOf(sent) });
    const isJson = response.headers.get("Content-Type")?.includes("json");
    const text = await response.text();
    const waitMs = Number(response.headers.get("Retry-After")) * 1000;
    return { status: response.status, text, waitMs, answer: isJson ? JSON.parse(text) : undefined };
  }

  /** All examples together may exceed one user's rate limit. */
  async function succeed(id: string, sent: ExampleRequest) {
    const { status, text, answer, waitMs } = await send(id, sent);
    if (status === 429) {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      return succeed(id, sent);
    }
    if (status >= 300) throw new Error(`${id}: ${status} ${text}`);
    return answer;
  }

  /** `data` of a response that is not recorded. */
  const ask = async (id: string, sent: ExampleRequest = {}) => (await succeed(id, sent))?.data;

  /** Records a request and its response as the operation's example, and returns `data`. */
  async function record(id: string, sent: ExampleRequest = {}) {
    const { as = credentialFor(operationOf(id)), ...others } = sent;
    const answer = await succeed(id, { ...others, ...(as && { as }) });
    const example: Example = {};
    const parameters = { ...sent.path, ...sent.query };
    if (Object.keys(parameters).length > 0) example.parameters = Object(shown(parameters));
    if (sent.body !== undefined) example.request = shown(sent.body);
    if (answer !== undefined) example.response = shown(answer);
    recorded.operations[id] = example;
    return answer?.data;
  }

  function credentialFor(operation: Operation): string | undefined {
    const credential = credentialOf(operation);
    if (credential === "KEY") return access.api_keys.premium;
    return credential === "TOKEN"
      ? tokens[operation.path.startsWith("/api/v1/admin/") ? "admin" : "customer"]
      : undefined;
  }

  /** Records a refusal as the example of its status. Returns false if the status differs. */
  async function refuse(wanted: number, id: string, sent: ExampleRequest = {}): Promise<boolean> {
    const { status, answer } = await send(id, sent);
    if (status === wanted) recorded.refusals[status] = shown(answer);
    return status === wanted;
  }

  /** Records a received event as the example of its type. */
  const recordEvent = (event: { type: string }): void => {
    recorded.webhooks[event.type] ??= shown(event);
  };

  /** Runs the scheduled tasks as of a given time. */
  async function runSchedule(at = Date.now()): Promise<void> {
    const response = await fetch(new URL(`/cdn-cgi/handler/scheduled?cron=*+*+*+*+*&time=${at}`, access.base_url));
    if (!response.ok) throw new Error(`The schedule: ${response.status} ${await response.text()}`);
  }

  async function beRefused(status: number, id: string, sent: ExampleRequest): Promise<void> {
    if (!(await refuse(status, id, sent))) throw new Error(`${id} was not refused with ${status}`);
  }

  return { access, tokens, recorded, ask, record, refuse, recordEvent, runSchedule, beRefused };
}

export type Shop = ReturnType<typeof shopAt>;

let asked = 0;

/** Each request has its own address from the documentation range, because sign-ins are limited by address. */
const anAddress = () => `198.51.100.${++asked % 255}`;

function contentOf({ as, headers: sent, body, form, bytes }: ExampleRequest): RequestInit {
  const headers = new Headers({ "CF-Connecting-IP": anAddress(), ...sent });
  if (as !== undefined) headers.set("Authorization", `Bearer ${as}`);
  if (bytes) headers.set("Content-Type", "application/octet-stream");
  if (body !== undefined && !headers.has("Content-Type")) headers.set("Content-Type", "application/json");
  return { headers, body: form ?? bytes ?? (body === undefined ? null : JSON.stringify(body)) };
}
