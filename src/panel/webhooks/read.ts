import type { Context } from "hono";
import { ApiError } from "../../domain/errors.ts";
import type { DeliveriesQuery } from "../../integrations/webhooks/admin-schemas.ts";
import { listDeliveries } from "../../integrations/webhooks/deliveries.ts";
import type { WebhookRow } from "../../integrations/webhooks/endpoints.ts";
import type { PanelEnv } from "../env.ts";
import { readNames } from "../references/queries.ts";
import type { Deliveries } from "./deliveries.tsx";

/** The deliveries of a webhook. The page is there without them, while the object that knows them is not. */
export async function readDeliveries(
  c: Context<PanelEnv>,
  webhook: WebhookRow,
  query: DeliveriesQuery,
): Promise<Deliveries> {
  try {
    const page = await listDeliveries({ env: c.env, caller: c.var.caller }, webhook, query);
    return {
      ...page,
      names: await readNames(
        c.var.db,
        page.rows.map(({ subject }) => subject),
      ),
    };
  } catch (error) {
    if (error instanceof ApiError && error.status === 503) return null;
    throw error;
  }
}
