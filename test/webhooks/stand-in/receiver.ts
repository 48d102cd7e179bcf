import { type Handler, ok } from "../../payments/stand-in/http.ts";

// A server that receives webhooks, and a resolver for their host names.

/**
 * Resolves `a.to-10-0-0-1.example` to 10.0.0.1, `nowhere.example` to nothing, and any other name to a public address.
 */
const resolve: Handler = (_, [query = ""]) => {
  const parameters = new URLSearchParams(query);
  const [name = "", type] = [parameters.get("name") ?? "", parameters.get("type")];
  if (name === "nowhere.example") return ok({ Status: 3 });
  const [, octets] = /\.to-([\d-]+)\.example$/.exec(name) ?? [];
  const address = octets ? octets.replaceAll("-", ".") : "93.184.215.14";
  const alias = { name, type: 5, data: "alias.example." };
  return ok({ Status: 0, Answer: type === "A" ? [alias, { name, type: 1, data: address }] : [] });
};

export const webhookHandlers: Record<string, Handler> = {
  "POST /receive/(.+)": () => ok({ received: true }),
  "GET /dns-query\\?(.+)": resolve,
};
