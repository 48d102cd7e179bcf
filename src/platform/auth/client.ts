import * as z from "zod";
import { documented } from "../../domain/fields.ts";
import { valid } from "../http/validate.ts";
import { networkOf } from "../rate-limit/network.ts";
import { type Caller, isServer } from "./caller.ts";

export const ClientAddressHeaders = z.object({
  "x-client-address": z
    .union([z.ipv4(), z.ipv6()], "must be an IPv4 or IPv6 address")
    .optional()
    .meta(documented({ type: "string", anyOf: undefined }))
    .describe(
      "IP address of the shopper, sent by a server that calls with an API key. Ignored from any other caller and with keys that have allowed origins",
    ),
});

/** Headers of requests that open or refresh a session. */
export const ClientHeaders = ClientAddressHeaders.extend({
  "x-client-user-agent": z
    .string()
    .optional()
    .describe(
      "`User-Agent` of the shopper, sent by a server that calls with an API key and shown in the list of sessions. Ignored from any other caller",
    ),
});

/** The part of a Context that identifies the client, independent of variables that gates add. */
export type AddressedRequest = { req: { raw: Request }; var: { identity?: Caller } };

/** The counted address: the connection's, or the shopper's if an API key's server forwards it. */
export function clientAddress(c: AddressedRequest): string | undefined {
  const { headers } = c.req.raw;
  if (!isServer(c.var.identity)) return headers.get("CF-Connecting-IP") ?? undefined;
  const sent = { "x-client-address": headers.get("X-Client-Address") ?? undefined };
  return valid(ClientAddressHeaders, sent)["x-client-address"];
}

/** Origin of a login attempt: a network, or the API key of a server that forwards no client address. Null if unknown. */
export function loginOrigin(c: AddressedRequest): string | null {
  const caller = c.var.identity;
  const address = networkOf(clientAddress(c));
  if (address) return address.subnet ?? address.network;
  return caller?.kind === "api_key" ? `api_key:${caller.id}` : null;
}

/** Names of browsers and systems in a User-Agent, the most specific first: Edge also calls itself Chrome. */
const BROWSERS = { Edge: /Edg/, Opera: /OPR/, Firefox: /Firefox|FxiOS/, Chrome: /Chrome|CriOS/, Safari: /Safari/ };
const SYSTEMS = { Android: /Android/, iOS: /iPhone|iPad/, Windows: /Windows/, macOS: /Mac OS/, Linux: /Linux/ };

/** A readable name of a User-Agent, such as "Firefox on Linux". Null for uncommon browsers. */
export function deviceOf(userAgent: string): string | null {
  const browser = nameIn(BROWSERS, userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  return browser && system ? `${browser} on ${system}` : null;
}

const nameIn = (names: Record<string, RegExp>, text: string): string | undefined =>
  Object.entries(names).find(([, pattern]) => pattern.test(text))?.[0];
