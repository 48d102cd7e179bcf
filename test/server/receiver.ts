import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { listen } from "../../scripts/listen.ts";

/** An event as it arrived. */
type Received = { id: number; type: string; subject: string; body: string };

/**
 * A local server that receives webhooks, verifies each with its secret and answers with 204. Events selected by
 * `failsFirst` fail the first time and succeed when they are retried.
 */
export async function aReceiver(failsFirst: (id: number) => boolean = () => false) {
  const received: Received[] = [];
  const refused: string[] = [];
  const failed = new Set<number>();
  let secret = "";
  const server = await listen(async (request, response) => {
    const body = await text(request);
    try {
      new Webhook(secret).verify(body, headersOf(request.headers));
    } catch (error) {
      refused.push(String(error));
    }
    const event = readEvent(String(request.headers["webhook-id"]), body);
    const fails = failsFirst(event.id) && !failed.has(event.id);
    if (fails) failed.add(event.id);
    else received.push(event);
    response.writeHead(fails ? 500 : 204).end();
  });
  return {
    ...server,
    received,
    /** Reasons why deliveries failed verification. */
    refused,
    signedBy: (value: string) => {
      secret = value;
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof aReceiver>>;

const headersOf = (headers: NodeJS.Dict<string | string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

function readEvent(id: string, body: string): Received {
  const { type, data } = JSON.parse(body);
  return { id: Number(id.replace("evt_", "")), type, subject: `order:${data.order_id}`, body };
}
