import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { listen } from "../listen.ts";

/** Misbehaviour of a receiver: a status, or no response at all. */
type Mood = number | "hang";

const receive = (answer: (request: IncomingMessage, body: string) => Mood) =>
  listen(async (request, response) => {
    const mood = answer(request, await text(request));
    if (mood !== "hang") response.writeHead(mood, { "Content-Type": "application/json" }).end("{}");
  });

/** A receiver of webhooks that fails the first attempt of some events, hangs in others, and is down at times. */
export async function openWebhookReceiver() {
  /** Ids of acknowledged events, in the order in which each was acknowledged first. */
  const delivered = new Set<number>();
  const seen = new Set<number>();
  const wrong: string[] = [];
  const counts = { attempts: 0, refused: 0, hung: 0, again: 0 };
  let secret = "";
  let isOut = false;

  const mood = (id: number): Mood => {
    if (isOut) return 500;
    if (seen.has(id)) return 204;
    seen.add(id);
    return id % 397 === 0 ? "hang" : id % 29 === 0 ? 500 : 204;
  };

  const server = await receive(({ headers }, body) => {
    counts.attempts++;
    const id = Number(String(headers["webhook-id"]).replace("evt_", ""));
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
    } catch (error) {
      wrong.push(`event ${id}: ${error}`);
    }
    const answer = mood(id);
    if (answer === "hang") counts.hung++;
    else if (answer === 500) counts.refused++;
    else if (delivered.has(id)) counts.again++;
    else delivered.add(id);
    return answer;
  });

  return {
    ...server,
    delivered,
    wrong,
    counts,
    signedBy: (value: string) => {
      secret = value;
    },
    setOut: (out: boolean) => {
      isOut = out;
    },
  };
}
export type WebhookReceiver = Awaited<ReturnType<typeof openWebhookReceiver>>;

/**
 * A stand-in for Resend, which delivers an e-mail once per Idempotency-Key, and answers some first attempts with 500 or
 * 429.
 */
export async function openMailService() {
  const delivered = new Map<string, { to: string; subject: string }>();
  const counts = { attempts: 0, refused: 0, again: 0 };
  const seen = new Set<string>();
  const server = await receive(({ headers }, body) => {
    counts.attempts++;
    const key = String(headers["idempotency-key"]);
    const isFirst = !seen.has(key);
    seen.add(key);
    const lot = Number.parseInt(key.slice(0, 6), 16) % 100;
    if (isFirst && lot < 3) {
      counts.refused++;
      return lot === 0 ? 429 : 500;
    }
    if (delivered.has(key)) counts.again++;
    const { to, subject } = JSON.parse(body);
    delivered.set(key, { to: String(to), subject });
    // One e-mail in a hundred is delivered although its response fails. It is sent again, but delivered once.
    return isFirst && lot === 3 ? 500 : 200;
  });
  return { ...server, delivered, counts };
}
export type MailService = Awaited<ReturnType<typeof openMailService>>;
