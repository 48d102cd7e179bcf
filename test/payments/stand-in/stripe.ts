import { type Answer, aNumber, type Handler, ok, once } from "./http.ts";

const refusal = (status: number, error: Record<string, string>) =>
  ok({ error: { type: "invalid_request_error", message: "See the key sk_test_1234", ...error } }, status);

const authenticated =
  (create: (fields: URLSearchParams) => Answer): Handler =>
  (request) => {
    const { authorization = "", "idempotency-key": key } = request.headers;
    if (!authorization.startsWith("Bearer sk_test_")) return refusal(401, {});
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
  const id = `cs_test_${aNumber()}`;
  return ok({ id, object: "checkout.session", url: `https://checkout.stripe.test/${id}` });
};

export const stripeHandlers: Record<string, Handler> = {
  "POST /v1/checkout/sessions": authenticated(openSession),
  "POST /v1/checkout/sessions/([^/]+)/expire": (request, ids) =>
    authenticated(() => ok({ id: ids[0], object: "checkout.session", status: "expired" }))(request, ids),
  "POST /v1/refunds": authenticated(() => ok({ id: `re_${aNumber()}`, object: "refund", status: "succeeded" })),
};
