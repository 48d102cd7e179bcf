import { LogSampler, log } from "./log.ts";

/** Fields of a request's log line. The caller is known after authentication. */
type Logged = {
  req: { method: string; path: string };
  res: Response;
  get: (name: "identity") => { kind: string; id?: number } | undefined;
};

/** Allowed request ids of senders. Others are ignored. */
const SENT_ID = /^[\w\-=]{1,255}$/;

/** The sender's id of a request, if valid. */
export function sentRequestId(headers: Headers): string | null {
  const sent = headers.get("X-Request-Id");
  return sent !== null && SENT_ID.test(sent) ? sent : null;
}

/** A log line costs as much as a cached catalogue response, so beyond 100 per second one line stands for several. */
export const logSampler = new LogSampler(100);

type StartedRequest = { id: string; sentId: string | null; startedAt: number };

/** Assigns a request our own id for the logs, since senders may repeat theirs. */
export const startRequest = ({ headers }: Request): StartedRequest => ({
  id: crypto.randomUUID(),
  sentId: sentRequestId(headers),
  startedAt: Date.now(),
});

/**
 * Logs a request in one line and returns the sender's id, if any, in the response. Logs only the path: the query of a signed
 * link grants access to a file.
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
