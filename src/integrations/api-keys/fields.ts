import * as z from "zod";
import { coded, isoOrNull, line, Moment } from "../../domain/fields.ts";
import { declareFields } from "../../platform/administration/fields.ts";
import { permissions } from "../../platform/auth/roles.ts";
import { type apiKeys, tiers } from "../../platform/db/schema.ts";

/** Types in the order of the vocabulary, without duplicates, whatever the order sent. */
const Permissions = z
  .array(z.enum(permissions))
  .min(1, "choose at least one permission")
  .max(100)
  .transform((sent) => permissions.filter((name) => sent.includes(name)));

export type ApiKeyState = Pick<typeof apiKeys.$inferSelect, "name" | "permissions" | "tier" | "expiresAt">;

/** The fields of an API key that administrators edit. */
export const apiKeyFields = declareFields<ApiKeyState>()({
  name: { column: "name", schema: line(100) },
  permissions: { column: "permissions", schema: Permissions },
  tier: { column: "tier", schema: z.enum(tiers), initial: "standard" },
  expires_at: {
    column: "expiresAt",
    schema: Moment.refine((moment) => moment > Date.now(), {
      error: "must be in the future",
      ...coded("in_the_past"),
    }).nullable(),
    initial: null,
    audited: isoOrNull,
  },
});
