import { sql } from "drizzle-orm";
import { ApiError, badRequest, fieldError } from "../domain/errors.ts";
import { findStoredResponse, writeOnce } from "../platform/idempotency/claims.ts";
import { readIdempotencyKey, replayStored } from "../platform/idempotency/once.ts";
import type { UcpContext } from "./protocol.ts";

/** A request as stored with its Idempotency-Key. A repeated request must have the same `operation` and `input`. */
export type RememberedCall = { key: string | undefined; operation: string; input: unknown };

export type Outcome = { answer: object; isReplayed: boolean };

/**
 * Performs an operation, or returns its response under this Idempotency-Key within a day. An agent that signs must send
 * one, so that nobody else can repeat its request. Two simultaneous requests may both perform it, which the operations
 * allow: a session becomes one order, and a second session expires unused.
 */
export async function remembered(
  ctx: UcpContext,
  { key: sent, operation, input }: RememberedCall,
  act: () => Promise<object>,
): Promise<Outcome> {
  const key = readIdempotencyKey(sent);
  const { db, author, settings, agent } = ctx;
  if (key === undefined && agent.isProven) throw badRequest(fieldError("idempotency-key", "required", "is required"));
  if (key === undefined) return { answer: await act(), isReplayed: false };
  const asked = [operation, input];
  // Anybody can claim the name of an agent that does not sign, so its answers are repeated to its address only. Answers for
  // a shopper are repeated for this shopper only.
  const sender = agent.isProven ? agent.owner : `${agent.owner} ${author.address}`;
  const caller = ctx.userId === null ? sender : `${sender} user:${ctx.userId}`;
  const claim = { caller, key, asked: () => asked, secrets: settings.linkSecrets };
  const replay = async (): Promise<Outcome | undefined> => {
    const stored = await findStoredResponse(db, claim, author.now);
    return stored && { answer: await replayStored(stored, claim), isReplayed: true };
  };
  const before = await replay();
  if (before) return before;
  const answer = await act();
  try {
    await writeOnce({ db, author: { ...author, claim } }, { writes: [], answer: sql`${JSON.stringify(answer)}` });
    return { answer, isReplayed: false };
  } catch (error) {
    const first = error instanceof ApiError ? await replay() : undefined;
    if (first) return first;
    throw error;
  }
}
