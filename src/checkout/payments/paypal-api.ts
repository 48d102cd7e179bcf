import * as z from "zod";
import { parsedJson } from "../../domain/json.ts";
import type { PaypalAccount } from "../../platform/settings/payments.ts";
import { isTransient, providerUnreachable } from "./provider.ts";

const TIMEOUT_MS = 10_000;

/** A token is not used in its last minute, because it could expire in transit. */
const MARGIN_MS = 60_000;

/** Thrown if PayPal understands a request but refuses it. The message contains only PayPal's codes, and so no secrets. */
export class PaypalRefusal extends Error {
  readonly status: number;
  readonly issues: string[];

  constructor(status: number, issues: string[], message: string) {
    super(message);
    this.status = status;
    this.issues = issues;
  }
}

/** The keys of an account, which are all that its requests need. */
type Keys = Omit<PaypalAccount, "webhookId">;

type Ask = {
  /** By default, a request with a body is a POST, and one without is a GET. */
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** JSON body. */
  body?: string;
  /** Idempotency key: PayPal executes requests with an equal id only once. */
  requestId?: string;
};

/** Calls PayPal's REST API. Replaces a token that was revoked early, once. */
export async function askPaypal<Shape>(
  account: Keys,
  path: string,
  schema: z.ZodType<Shape>,
  ask: Ask,
): Promise<Shape> {
  const token = await tokenOf(account);
  try {
    return await exchange(account, path, schema, requestOf(token, ask));
  } catch (error) {
    if (!(error instanceof PaypalRefusal) || error.status !== 401) throw error;
    if (tokens.get(nameOf(account))?.token === token) tokens.delete(nameOf(account));
    return await exchange(account, path, schema, requestOf(await tokenOf(account), ask));
  }
}

const requestOf = (
  token: string,
  { body, method = body === undefined ? "GET" : "POST", requestId }: Ask,
): RequestInit => ({
  method,
  headers: {
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
    // Without this header, PayPal returns little more than an id.
    Prefer: "return=representation",
    ...(requestId !== undefined && { "PayPal-Request-Id": requestId }),
  },
  ...(body !== undefined && { body }),
});

const Token = z.object({ access_token: z.string().min(1), expires_in: z.number() });

/** One access token per account, cached for the isolate's lifetime because PayPal limits how many it issues. */
const tokens = new Map<string, { token: string; goodUntil: number }>();

/** Names the secret too: a token of the right secret must not let a wrong one pass. */
const nameOf = ({ apiUrl, clientId, clientSecret }: Keys): string => `${clientId} ${clientSecret} ${apiUrl}`;

async function tokenOf(account: Keys): Promise<string> {
  const cached = tokens.get(nameOf(account));
  if (cached && cached.goodUntil > Date.now()) return cached.token;
  const { access_token: token, expires_in } = await exchange(account, "/v1/oauth2/token", Token, {
    method: "POST",
    headers: { Authorization: `Basic ${btoa(`${account.clientId}:${account.clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  tokens.set(nameOf(account), { token, goodUntil: Date.now() + expires_in * 1000 - MARGIN_MS });
  return token;
}

async function exchange<Shape>(
  { apiUrl }: Keys,
  path: string,
  schema: z.ZodType<Shape>,
  init: RequestInit,
): Promise<Shape> {
  const { status, text } = await fetchText(new URL(path, apiUrl), init);
  if (isTransient(status)) throw providerUnreachable("PayPal", `PayPal answered ${path} with ${status}`);
  const json = parsedJson(text);
  if (status >= 400) throw refusalOf(path, status, json);
  const { success, data } = schema.safeParse(json);
  if (!success) throw new Error(`PayPal answered ${path} with ${status} and a body of another shape`);
  return data;
}

async function fetchText(url: URL, init: RequestInit): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    throw providerUnreachable(
      "PayPal",
      `PayPal did not answer ${url.pathname}: ${error instanceof Error ? error.message : error}`,
    );
  }
}

const Refusal = z.object({
  name: z.string().default(""),
  debug_id: z.string().default(""),
  details: z.array(z.object({ issue: z.string() })).default([]),
});

function refusalOf(path: string, status: number, json: unknown): PaypalRefusal {
  const { name, debug_id, details } = Refusal.catch({ name: "", debug_id: "", details: [] }).parse(json);
  const issues = details.map(({ issue }) => issue);
  const codes = [status, name, ...issues, debug_id].filter(Boolean).join(" ");
  return new PaypalRefusal(status, issues, `PayPal refused ${path}: ${codes}`);
}
