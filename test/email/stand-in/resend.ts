import { aNumber, type Handler, ok, once } from "../../payments/stand-in/http.ts";

const refusal = (status: number, name: string) => ok({ statusCode: status, name, message: name }, status);

/** An Idempotency-Key sends the same e-mail only once. A different e-mail with the key is refused. */
const sendEmail: Handler = (request) => {
  const { authorization = "", "idempotency-key": key } = request.headers;
  if (authorization !== "Bearer re_test_key") return refusal(403, "invalid_api_key");
  const { from, to, subject, html, text } = JSON.parse(request.body);
  if (![from, to, subject, html, text].every((part) => typeof part === "string" && part !== "")) {
    return refusal(422, "missing_required_field");
  }
  return once(authorization, key, request, refusal(409, "invalid_idempotent_request"), () =>
    ok({ id: `email-${aNumber()}` }),
  );
};

export const resendHandlers: Record<string, Handler> = { "POST /emails": sendEmail };
