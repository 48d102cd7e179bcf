import { Hono } from "hono";
import { type AppEnv, administrators } from "../auth/gates.ts";
import { list } from "../http/envelope.ts";
import { lists } from "../http/route-description.ts";
import { validate } from "../http/validate.ts";
import { FailedItem, FailedItemsQuery, listFailedItems, toFailedItem } from "./failed-items.ts";

export const failedItemsAdmin = new Hono<AppEnv>().get(
  "/failed-items",
  administrators,
  validate("query", FailedItemsQuery),
  lists("listFailedItems", "List failing background work", FailedItem),
  async (c) => {
    const page = await listFailedItems(c.var.db, c.req.valid("query"));
    return list(c, "Failed items", page, toFailedItem);
  },
);
