import { and, desc, eq } from "drizzle-orm";
import type { Quote } from "../../../checkout/orders/checkout/quote.ts";
import { addressLines } from "../../../domain/address.ts";
import type { Options } from "../../../platform/administration/inputs.ts";
import { type AccountScope, inScope } from "../../../platform/db/account-scope.ts";
import type { Database } from "../../../platform/db/client.ts";
import { addresses } from "../../../platform/db/schema.ts";
import type { Values } from "../../forms/kinds.ts";

/** Choices of the form that depend on the buyer and the items. */
export type OrderChoices = { addresses: Options; methods: Options };

/** The most addresses of an account that are offered. */
const MOST = 20;

/** Addresses of the account in the form, and shipping methods of its quote. */
export async function readOrderChoices(
  db: Database,
  scope: AccountScope,
  { values, quote }: { values: Values; quote: Quote | undefined },
): Promise<OrderChoices> {
  const userId = Number(values.user_id?.[0] ?? 0);
  const rows = userId
    ? await db
        .select()
        .from(addresses)
        .where(and(eq(addresses.userId, userId), inScope(scope, addresses.userId)))
        .orderBy(desc(addresses.isDefault), addresses.id)
        .limit(MOST)
    : [];
  return {
    addresses: rows.map((row) => [String(row.id), addressLines(row).join(", ")] as const),
    methods: (quote?.shipping_options ?? []).map(({ id, name }) => [String(id), name] as const),
  };
}
