import { Hono } from "hono";
import { IdParam } from "../../domain/fields.ts";
import { resourceRoutes } from "../../platform/administration/resource-routes.ts";
import { accountScopeOf } from "../../platform/auth/caller.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { list } from "../../platform/http/envelope.ts";
import { PageQuery } from "../../platform/http/pagination.ts";
import { lists } from "../../platform/http/route-description.ts";
import { validateAll } from "../../platform/http/validate.ts";
import { discountResource, listDiscountRedemptions, Redemption, toRedemption } from "./discounts.ts";

export const discountsAdmin = new Hono<AppEnv>()
  .route("/", resourceRoutes(discountResource))
  .get(
    "/discounts/:id/redemptions",
    administer("orders:read"),
    validateAll({ param: IdParam, query: PageQuery }),
    lists("listDiscountRedemptions", "List the orders that used a discount", Redemption),
    async (c) => {
      const { id } = await discountResource.require(c.var.db, c.req.valid("param").id);
      const page = await listDiscountRedemptions(c.var.db, id, c.req.valid("query"), accountScopeOf(c.var.caller));
      return list(c, "Redemptions", page, toRedemption);
    },
  );
