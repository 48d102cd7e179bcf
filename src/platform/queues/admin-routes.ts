import { Hono } from "hono";
import type { AppEnv } from "../auth/app-env.ts";
import { administrators } from "../auth/gates.ts";
import { list } from "../http/envelope.ts";
import { pageOf } from "../http/pagination.ts";
import { lists } from "../http/route-description.ts";
import { validate } from "../http/validate.ts";
import { FailedItem, FailedItemsQuery, listFailedItems, toFailedItem } from "./failed-items.ts";

export const failedItemsAdmin = new Hono<AppEnv>().get(
  "/failed-items",
  administrators,
  validate("query", FailedItemsQuery),
  lists("listFailedItems", "List failing background work", FailedItem),
  async (c) => {
    const query = c.req.valid("query");
    const { rows, totalItems, totalIsExact } = await listFailedItems(c.var.db, query);
    return list(c, "Failed items", rows.map(toFailedItem), pageOf(query, totalItems, totalIsExact));
  },
);
