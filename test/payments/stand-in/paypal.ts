import { createHash } from "node:crypto";
import { type Answer, aNumber, type Handler, ok, once, type Sent } from "./http.ts";

const refusal = (status: number, name: string, ...issues: string[]) =>
  ok({ name, debug_id: "f00", details: issues.map((issue) => ({ issue })) }, status);

const token: Handler = ({ headers }) => {
  const [client, secret] = atob(headers.authorization?.replace("Basic ", "") ?? "").split(":");
  if (secret === "wrong") return ok({ error: "invalid_client" }, 401);
  return ok({ access_token: `A21.${client}.${aNumber()}`, token_type: "Bearer", expires_in: 32_400 });
};

const authenticated =
  (answer: Handler): Handler =>
  (request, ids) =>
    request.headers.authorization?.startsWith("Bearer A21.")
      ? answer(request, ids)
      : refusal(401, "AUTHENTICATION_FAILURE");

const authenticatedOnce = (answer: Handler): Handler =>
  authenticated((request, ids) => {
    const [, client = ""] = request.headers.authorization?.split(".") ?? [];
    const reused = refusal(422, "UNPROCESSABLE_ENTITY", "REQUEST_ID_USED_OTHERWISE");
    return once(client, request.headers["paypal-request-id"], request, reused, () => answer(request, ids));
  });

/** Real PayPal signs these four with RSA. The stand-in only checks that the event returns byte for byte. */
const verify: Handler = ({ body }) => {
  const { transmission_id, transmission_time, webhook_id, transmission_sig } = JSON.parse(body);
  if (transmission_sig === "malformed") return refusal(400, "VALIDATION_ERROR");
  const event = /"webhook_event":(.*)}$/s.exec(body)?.[1];
  const signed = createHash("sha256").update([transmission_id, transmission_time, webhook_id, event].join("|"));
  return ok({ verification_status: signed.digest("hex") === transmission_sig ? "SUCCESS" : "FAILURE" });
};

type Amount = { value: string };
type Part = "item_total" | "shipping" | "tax_total" | "discount";
type Unit = {
  payments?: unknown;
  custom_id: string;
  amount: Amount & { breakdown: Record<Part, Amount> };
  items: { quantity: string; unit_amount: Amount }[];
};
type Order = { id: string; purchase_units: [Unit] };

const orders = new Map<string, Order>();

const cents = ({ value }: Amount): number => Math.round(Number(value) * 100);

/** PayPal refuses an order if its parts do not add up to the total, or its items to the parts. */
function addsUp([{ amount, items }]: Order["purchase_units"]): boolean {
  const { item_total, shipping, tax_total, discount } = amount.breakdown;
  const lines = items.reduce((sum, { quantity, unit_amount }) => sum + Number(quantity) * cents(unit_amount), 0);
  return lines === cents(item_total) && cents(amount) === lines + cents(shipping) + cents(tax_total) - cents(discount);
}

const open: Handler = ({ body }) => {
  if (!addsUp(JSON.parse(body).purchase_units)) return refusal(422, "UNPROCESSABLE_ENTITY", "AMOUNT_MISMATCH");
  const id = `PP${aNumber()}`;
  orders.set(id, { ...JSON.parse(body), id });
  const links = [
    { rel: "self", href: `https://api.paypal.test/v2/checkout/orders/${id}` },
    { rel: "payer-action", href: `https://paypal.test/checkoutnow?token=${id}` },
  ];
  return ok({ ...orders.get(id), links });
};

const read: Handler = (_, [id = ""]) => ok(orders.get(id));

const capture: Handler = (_, [id = ""]) => {
  const unit = orders.get(id)?.purchase_units[0];
  if (!unit) return refusal(404, "RESOURCE_NOT_FOUND");
  if (unit.payments) return refusal(422, "UNPROCESSABLE_ENTITY", "ORDER_ALREADY_CAPTURED");
  const { amount, custom_id } = unit;
  unit.payments = { captures: [{ id: `CAP-${id}`, status: "COMPLETED", amount, custom_id }] };
  return ok(orders.get(id), 201);
};

const refund: Handler = () => ok({ id: `RF${aNumber()}`, status: "COMPLETED" }, 201);

// https://developer.paypal.com/api/webhooks/v1

type Webhook = { id: string; url: string; event_types: { name: string }[] };

/** Webhooks by client id. */
const webhooks = new Map<string, Webhook[]>();

const ofApp = (answer: (own: Webhook[], request: Sent, ids: string[]) => Answer): Handler =>
  authenticated((request, ids) => {
    const [, client = ""] = request.headers.authorization?.split(".") ?? [];
    const own = webhooks.get(client) ?? [];
    webhooks.set(client, own);
    return answer(own, request, ids);
  });

const createWebhook = ofApp((own, { body }) => {
  const { url, event_types } = JSON.parse(body);
  if (!url.startsWith("https://")) return refusal(400, "VALIDATION_ERROR", "Not a valid webhook URL");
  if (own.some((each) => each.url === url)) return refusal(400, "WEBHOOK_URL_ALREADY_EXISTS");
  const webhook = { id: `WH${aNumber()}`, url, event_types };
  own.push(webhook);
  return ok(webhook, 201);
});

const changeWebhook = ofApp((own, { body }, [id]) => {
  const webhook = own.find((each) => each.id === id);
  if (!webhook) return refusal(404, "INVALID_RESOURCE_ID");
  const [{ value }] = JSON.parse(body);
  if (JSON.stringify(value) === JSON.stringify(webhook.event_types)) {
    return refusal(400, "WEBHOOK_PATCH_REQUEST_NO_CHANGE");
  }
  webhook.event_types = value;
  return ok(webhook);
});

const deleteWebhook = ofApp((own, _, [id]) => {
  const place = own.findIndex((each) => each.id === id);
  if (place < 0) return refusal(404, "INVALID_RESOURCE_ID");
  own.splice(place, 1);
  return ok(undefined, 204);
});

export const paypalHandlers: Record<string, Handler> = {
  "POST /v1/oauth2/token": token,
  "GET /v1/notifications/webhooks": ofApp((webhooks) => ok({ webhooks })),
  "POST /v1/notifications/webhooks": createWebhook,
  "PATCH /v1/notifications/webhooks/([^/]+)": changeWebhook,
  "DELETE /v1/notifications/webhooks/([^/]+)": deleteWebhook,
  "POST /v1/notifications/verify-webhook-signature": authenticated(verify),
  "POST /v2/checkout/orders": authenticatedOnce(open),
  "GET /v2/checkout/orders/([^/]+)": authenticated(read),
  "POST /v2/checkout/orders/([^/]+)/capture": authenticatedOnce(capture),
  "POST /v2/payments/captures/([^/]+)/refund": authenticatedOnce(refund),
};
