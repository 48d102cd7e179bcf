import { LogSampler, log } from "./log.ts";

/** What the log tells of a request. Who sent it is known once they are authenticated. */
type Logged = {
  req: { method: string; path: string };
  res: Response;
  get: (name: "identity") => { kind: string; id?: number } | undefined;
};

/** What a sender may name a request by; anything else is passed over. */
const SENT_ID = /^[\w\-=]{1,255}$/;

/** What the sender of a request calls it, if they do. */
export function sentRequestId(headers: Headers): string | null {
  const sent = headers.get("X-Request-Id");
  return sent !== null && SENT_ID.test(sent) ? sent : null;
}

/** A log line costs as much as a cached catalogue response, so beyond 100 a second one line stands for several. */
export const logSampler = new LogSampler(100);

type StartedRequest = { id: string; sentId: string | null; startedAt: number };

/** Gives a request an id of our own for the logs, since senders may repeat theirs. */
export const startRequest = ({ headers }: Request): StartedRequest => ({
  id: crypto.randomUUID(),
  sentId: sentRequestId(headers),
  startedAt: Date.now(),
});

/**
 * Logs an answered request in one line, and names it in the response by the sender's id, if there is one. Of the address only
 * the path: the query of a signed link opens a file.
 */
export function finishRequest({ id, sentId, startedAt }: StartedRequest, c: Logged): void {
  const { req, res } = c;
  res.headers.set("X-Request-Id", sentId ?? id);
  const unlogged = logSampler.sample(startedAt);
  if (unlogged === null) return;
  const identity = c.get("identity");
  log("info", {
    request_id: id,
    sent_request_id: sentId,
    method: req.method,
    path: req.path,
    status: res.status,
    ms: Date.now() - startedAt,
    caller: identity?.kind ?? null,
    caller_id: identity?.id ?? null,
    ...(unlogged > 0 && { unlogged }),
  });
}
