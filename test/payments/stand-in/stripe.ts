import { type Answer, aNumber, type Handler, ok, once, type Sent } from "./http.ts";
import { billingHandlers } from "./stripe-billing.ts";

const refusal = (status: number, error: Record<string, string>) =>
  ok({ error: { type: "invalid_request_error", message: "See the key sk_test_1234", ...error } }, status);

/** The secret or restricted key of a request. A key whose name begins with `wrong` is refused. */
const keyOf = ({ headers: { authorization = "" } }: Sent) =>
  /^Bearer ([rs]k)_(test|live)_(?!wrong)([^_]+)(?:_(.+))?$/.exec(authorization);

const authenticated =
  (create: (fields: URLSearchParams) => Answer): Handler =>
  (request) => {
    const { authorization = "", "idempotency-key": key } = request.headers;
    if (!keyOf(request)) return refusal(401, {});
    const reused = refusal(400, { type: "idempotency_error" });
    return once(authorization, key, request, reused, () => create(new URLSearchParams(request.body)));
  };

/** Stripe's own limits: a session lasts from half an hour to a day, and the minimum is half a dollar. */
const openSession = (fields: URLSearchParams): Answer => {
  const seconds = Number(fields.get("expires_at")) - Date.now() / 1000;
  if (seconds < 1800 || seconds > 86_400) return refusal(400, { param: "expires_at" });
  const amount = [...fields]
    .filter(([name]) => /^line_items\[\d+\]\[price_data\]\[unit_amount\]$/.test(name))
    .reduce((sum, [, cents]) => sum + Number(cents), 0);
  if (amount < 50) return refusal(400, { code: "amount_too_small" });
  const renews = fields.get("mode") === "subscription";
  const interval = fields.get("line_items[0][price_data][recurring][interval]");
  if (renews !== ["month", "year"].includes(String(interval))) return refusal(400, { param: "mode" });
  const data = renews ? "payment_intent_data" : "subscription_data";
  if (fields.has(`${data}[metadata][order_reference]`)) return refusal(400, { param: data });
  const id = `cs_test_${aNumber()}`;
  return ok({ id, object: "checkout.session", url: `https://checkout.stripe.test/${id}` });
};

type Intent = { status: string; amount: number; currency: string };

const intents = new Map<string, Intent>();

const shownIntent = (id: string, { status, amount, currency }: Intent) => ({
  id,
  object: "payment_intent",
  status,
  amount,
  amount_received: status === "succeeded" ? amount : 0,
  currency,
});

const createIntent = (fields: URLSearchParams): Answer => {
  const amount = Number(fields.get("amount"));
  if (amount < 50) return refusal(400, { code: "amount_too_small" });
  const id = `pi_test_${aNumber()}`;
  const intent = { status: "requires_payment_method", amount, currency: fields.get("currency") ?? "" };
  intents.set(id, intent);
  return ok(shownIntent(id, intent));
};

const TOKEN = "payment_method_data[shared_payment_granted_token]";

/** Tokens that were used. A token is consumed once its limit is reached. */
const consumed = new Set<string>();

/**
 * Shared payment tokens, by what the name of a token says: `spt_declined_…` is declined by the bank, `spt_asks_…` needs its
 * buyer, and `spt_500_…` pays 5.00 at most. The parameter is unknown outside the preview, and a decline is a 402 that
 * contains the intent.
 */
const confirm = (intent: Intent, id: string, fields: URLSearchParams, version: unknown): Answer => {
  const token = fields.get(TOKEN) ?? "";
  if (!String(version).endsWith(".preview")) return refusal(400, { code: "parameter_unknown", param: TOKEN });
  if (!token.startsWith("spt_")) return refusal(400, { code: "resource_missing", param: TOKEN });
  const [, limit] = /^spt_(\d+)/.exec(token) ?? [];
  if (intent.amount > Number(limit ?? intent.amount)) return refusal(400, { param: TOKEN });
  const code = /^spt_declined/.test(token) ? "card_declined" : /^spt_asks/.test(token) && "authentication_required";
  if (code !== false && fields.get("error_on_requires_action") === "true") {
    return ok({ error: { type: "card_error", code, payment_intent: shownIntent(id, intent) } }, 402);
  }
  if (consumed.has(token)) return refusal(400, { param: TOKEN });
  consumed.add(token);
  intent.status = "requires_capture";
  return ok(shownIntent(id, intent));
};

/** Changes that an intent allows in these statuses: https://docs.stripe.com/payments/paymentintents/lifecycle */
const changed = (id: string, to: string, from: string[]): Answer => {
  const intent = intents.get(id);
  if (!intent || !from.includes(intent.status)) return refusal(400, { code: "payment_intent_unexpected_state" });
  intent.status = to;
  return ok(shownIntent(id, intent));
};

// https://docs.stripe.com/api/webhook_endpoints

type Endpoint = { id: string; url: string; livemode: boolean; enabled_events: string[]; api_version: string | null };

/** Webhook endpoints by account, and its mode: test and live mode share nothing. */
const endpoints = new Map<string, Endpoint[]>();

/** Maximum number of endpoints of an account. */
const MAX_ENDPOINTS = 16;

/** Answers about an account, which a key names first. A restricted key may not read accounts, and with `_reads` nothing else. */
const ofAccount =
  (answer: (listed: Endpoint[], request: Sent, ids: string[]) => Answer): Handler =>
  (request, ids) => {
    const [, kind, mode, account = "", rights] = keyOf(request) ?? [];
    if (!kind) return refusal(401, {});
    if (kind === "rk" && (request.line.endsWith("/account") || rights === "reads")) return refusal(403, {});
    const own = endpoints.get(`${mode} ${account}`) ?? [];
    endpoints.set(`${mode} ${account}`, own);
    return answer(own, request, ids);
  };

const showAccount = ofAccount((_, request) => {
  const [, , , account = ""] = keyOf(request) ?? [];
  const settings = { dashboard: { display_name: `Shop ${account}`, timezone: "Etc/UTC" } };
  return ok({ id: `acct_${account}`, object: "account", email: "owner@shop.test", settings });
});

const createEndpoint = ofAccount((own, request) => {
  const fields = new URLSearchParams(request.body);
  const url = fields.get("url") ?? "";
  if (!url.startsWith("https://")) return refusal(400, { code: "url_invalid", param: "url" });
  if (own.length >= MAX_ENDPOINTS) return refusal(400, { param: "url" });
  const id = `we_${aNumber()}`;
  const enabled_events = [...fields].flatMap(([name, value]) => (name.startsWith("enabled_events[") ? [value] : []));
  const livemode = keyOf(request)?.[2] === "live";
  const endpoint = { id, url, livemode, enabled_events, api_version: fields.get("api_version") };
  own.push(endpoint);
  return ok({ ...endpoint, object: "webhook_endpoint", status: "enabled", secret: `whsec_of_${id}` });
});

const deleteEndpoint = ofAccount((own, _, [id]) => {
  const place = own.findIndex((each) => each.id === id);
  if (place < 0) return refusal(404, { code: "resource_missing" });
  own.splice(place, 1);
  return ok({ id, object: "webhook_endpoint", deleted: true });
});

export const stripeHandlers: Record<string, Handler> = {
  ...billingHandlers,
  "GET /v1/account": showAccount,
  "GET /v1/webhook_endpoints[?]limit=100": ofAccount((own) => ok({ object: "list", has_more: false, data: own })),
  "POST /v1/webhook_endpoints": createEndpoint,
  "DELETE /v1/webhook_endpoints/([^/]+)": deleteEndpoint,
  "POST /v1/checkout/sessions": authenticated(openSession),
  "POST /v1/checkout/sessions/([^/]+)/expire": (request, ids) =>
    authenticated(() => ok({ id: ids[0], object: "checkout.session", status: "expired" }))(request, ids),
  "POST /v1/payment_intents": authenticated(createIntent),
  "POST /v1/payment_intents/([^/]+)/confirm": (request, ids) =>
    authenticated((fields) => {
      const [id = ""] = ids;
      const intent = intents.get(id);
      return intent
        ? confirm(intent, id, fields, request.headers["stripe-version"])
        : refusal(404, { code: "resource_missing" });
    })(request, ids),
  "POST /v1/payment_intents/([^/]+)/capture": (request, ids) =>
    authenticated(() => changed(ids[0] ?? "", "succeeded", ["requires_capture"]))(request, ids),
  "POST /v1/payment_intents/([^/]+)/cancel": (request, ids) =>
    authenticated(() => changed(ids[0] ?? "", "canceled", ["requires_payment_method", "requires_capture"]))(
      request,
      ids,
    ),
  "POST /v1/refunds": authenticated(() => ok({ id: `re_${aNumber()}`, object: "refund", status: "succeeded" })),
};
