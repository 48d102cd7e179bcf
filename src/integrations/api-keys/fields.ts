import * as z from "zod";
import { coded, EndMoment, isoOrNull, line } from "../../domain/fields.ts";
import { declareFields } from "../../platform/administration/fields.ts";
import { canonicalOrigin, canonicalRange, MAX_ALLOWED } from "../../platform/auth/api-keys/allowed-callers.ts";
import { permissions } from "../../platform/auth/roles.ts";
import { type apiKeys, tiers } from "../../platform/db/schema.ts";

/** Types in the order of the vocabulary, without duplicates, whatever the order sent. */
const Permissions = z
  .array(z.enum(permissions))
  .min(1, "choose at least one permission")
  .max(100)
  .transform((sent) => permissions.filter((name) => sent.includes(name)));

/** Addresses and ranges in canonical form, without duplicates, in the order sent. */
const AllowedAddresses = z
  .array(
    z
      .string()
      .trim()
      .max(50)
      .transform((text, ctx) => {
        const read = canonicalRange(text);
        if ("range" in read) return read.range;
        ctx.addIssue(read.problem);
        return z.NEVER;
      }),
  )
  .max(MAX_ALLOWED)
  .transform((sent) => [...new Set(sent)])
  .describe(
    "IPv4 and IPv6 addresses, and ranges such as `203.0.113.0/24`, from which the key may be used. Any address if empty",
  );

/** Origins in canonical form, without duplicates, in the order sent. */
const AllowedOrigins = z
  .array(
    z
      .string()
      .trim()
      .max(300)
      .transform((text, ctx) => {
        const origin = canonicalOrigin(text);
        if (origin !== null) return origin;
        ctx.addIssue("must be an origin such as https://shop.example, or https://*.shop.example for its subdomains");
        return z.NEVER;
      }),
  )
  .max(MAX_ALLOWED)
  .transform((sent) => [...new Set(sent)])
  .describe(
    "Origins of the web pages that may use the key, such as `https://shop.example`; `https://*.shop.example` stands for one level of subdomains. Servers cannot use a key with origins. Empty for a server key",
  );

export type ApiKeyState = Pick<
  typeof apiKeys.$inferSelect,
  "name" | "permissions" | "tier" | "allowedAddresses" | "allowedOrigins" | "expiresAt"
>;

/** The fields of an API key that administrators edit. */
export const apiKeyFields = declareFields<ApiKeyState>()({
  name: { schema: line(100), input: { hint: "For example, the server that will use it." } },
  permissions: {
    schema: Permissions,
    input: {
      as: "choices",
      hint: "Choose at least one. Read covers GET requests; write covers POST, PUT and DELETE.",
      options: permissions.map((name) => [name, name] as const),
    },
  },
  tier: { schema: z.enum(tiers), initial: "standard", input: { as: "choice", options: [] } },
  allowed_addresses: {
    schema: AllowedAddresses,
    initial: [],
    input: {
      as: "list",
      hint: "One on each line, such as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32. Leave empty to allow any address. Workers of all Cloudflare customers share one address, and a service binding sends any address its caller sets.",
    },
  },
  allowed_origins: {
    schema: AllowedOrigins,
    initial: [],
    input: {
      as: "list",
      hint: "For a key in web pages: one site on each line, such as https://shop.example or https://*.shop.example. Servers cannot use the key then.",
    },
  },
  expires_at: {
    schema: EndMoment.refine((moment) => moment > Date.now(), {
      error: "must be in the future",
      ...coded("in_the_past"),
    }).nullable(),
    audited: isoOrNull,
    input: { as: "moment", hint: "Leave empty for a key that never expires." },
  },
});
