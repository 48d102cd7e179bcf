import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import type { TestProject } from "vitest/node";
import { listen } from "../../scripts/listen.ts";
import { agentHandlers } from "../agents/stand-in/profiles.ts";
import { resendHandlers } from "../email/stand-in/resend.ts";
import { pictureHandlers } from "../images/stand-in/pictures.ts";
import { type Answer, type Handler, handle, ok, type Scripted, type Sent } from "../payments/stand-in/http.ts";
import { paypalHandlers } from "../payments/stand-in/paypal.ts";
import { stripeHandlers } from "../payments/stand-in/stripe.ts";
import { viesHandlers } from "../taxes/stand-in/vies.ts";
import { webhookHandlers } from "../webhooks/stand-in/receiver.ts";

// A local stand-in for the HTTP APIs of Stripe, PayPal and Resend, a webhook receiver, and a server of pictures and agents' profiles. It
// enforces the rules that a client can break: keys, idempotency, the limits of a session, and signatures over exact
// bytes.

declare module "vitest" {
  interface ProvidedContext {
    /** The stand-in's address. */
    services: string;
  }
}

const sent: Sent[] = [];
const scripts: Scripted[] = [];

const mentions = (request: Sent, about: string): boolean => JSON.stringify(request).includes(about);

const providers: Record<string, Handler> = {
  ...stripeHandlers,
  ...paypalHandlers,
  ...resendHandlers,
  ...webhookHandlers,
  ...pictureHandlers,
  ...agentHandlers,
  ...viesHandlers,
};

/** Requests that tests make to the stand-in itself. */
const controls: Record<string, Handler> = {
  "GET /sent/(.+)": (_, [about = ""]) => ok(sent.filter((request) => mentions(request, decodeURIComponent(about)))),
  "POST /forget": ({ body }) => {
    const { line } = JSON.parse(body);
    for (const script of scripts) if (script.line === line) script.times = 0;
    return ok({});
  },
  "POST /scripts": ({ body }) => ok(scripts.push(JSON.parse(body))),
};

function answer(request: Sent): Answer {
  const control = handle(controls, request);
  if (control) return control;
  sent.push(request);
  const due = ({ line, about, times }: Scripted) =>
    times > 0 && request.line.startsWith(line) && mentions(request, about);
  const script = scripts.find(due);
  if (script) script.times--;
  return script ?? handle(providers, request) ?? ok({ error: { message: "no such address" } }, 404);
}

const read = async (request: IncomingMessage): Promise<Sent> => ({
  line: `${request.method} ${request.url}`,
  headers: request.headers,
  body: await text(request),
});

/** Called by vitest once before all tests. Returns a function that is called after them. */
export async function setup(project: TestProject): Promise<() => void> {
  const { url, close } = await listen(async (request, response) => {
    const { status, body, headers, hangs } = answer(await read(request));
    if (hangs) return;
    const content = body instanceof Uint8Array ? body : JSON.stringify(body);
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(content);
  });
  project.provide("services", url);
  return close;
}
