import type { IncomingHttpHeaders } from "node:http";

/** A request that reached a provider. */
export type Sent = { line: string; headers: IncomingHttpHeaders; body: string };

/** A response to the next requests whose line starts with `line` and that contain `about`. */
export type Scripted = {
  line: string;
  about: string;
  times: number;
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  /** Never responds, until the tests end or the caller gives up. */
  hangs?: true;
};

export type Answer = Pick<Scripted, "status" | "body" | "headers" | "hangs">;

/** Answers a request. `ids` are the path segments that match the wildcards of the handler's pattern. */
export type Handler = (request: Sent, ids: string[]) => Answer;

/** Answers by the first handler whose pattern matches the request's line. Undefined if none does. */
export function handle(handlers: Record<string, Handler>, request: Sent): Answer | undefined {
  for (const [pattern, handler] of Object.entries(handlers)) {
    const match = new RegExp(`^${pattern}$`).exec(request.line);
    if (match) return handler(request, match.slice(1));
  }
  return undefined;
}

export const ok = (body: unknown, status = 200): Answer => ({ status, body });

let made = 0;

/** A number that is unique at the provider. */
export const aNumber = (): number => ++made;

const kept = new Map<string, { request: string; answer: Answer }>();

/**
 * For an idempotency key that an account has used, the same request gets the same response, and a different one is
 * refused.
 */
export function once(account: string, key: unknown, { line, body }: Sent, refusal: Answer, make: () => Answer): Answer {
  const known = kept.get(`${account} ${key}`);
  if (known) return known.request === line + body ? known.answer : refusal;
  const answer = make();
  if (answer.status < 400) kept.set(`${account} ${key}`, { request: line + body, answer });
  return answer;
}
