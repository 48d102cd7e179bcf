import type { IncomingHttpHeaders } from "node:http";

/** A request that reached a provider. */
export type Sent = { line: string; headers: IncomingHttpHeaders; body: string };

/** An answer that the next requests get whose line starts with `line` and which mention `about` anywhere. */
export type Scripted = {
  line: string;
  about: string;
  times: number;
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  /** Never answers: until the tests end, or the caller has enough of it. */
  hangs?: true;
};

export type Answer = Pick<Scripted, "status" | "body" | "headers" | "hangs">;

/** Answers a request; `ids` are the parts of its path that the handler's pattern leaves open. */
export type Handler = (request: Sent, ids: string[]) => Answer;

export const ok = (body: unknown, status = 200): Answer => ({ status, body });

let made = 0;

/** A number that no other thing at a provider has. */
export const aNumber = (): number => ++made;

const kept = new Map<string, { request: string; answer: Answer }>();

/** Under a key that an account has used, the same request gets the same answer again, and another one is refused. */
export function once(account: string, key: unknown, { line, body }: Sent, refusal: Answer, make: () => Answer): Answer {
  const known = kept.get(`${account} ${key}`);
  if (known) return known.request === line + body ? known.answer : refusal;
  const answer = make();
  if (answer.status < 400) kept.set(`${account} ${key}`, { request: line + body, answer });
  return answer;
}
