import { Hono } from "hono";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { ok } from "../../platform/http/envelope.ts";
import { answers } from "../../platform/http/route-description.ts";
import { validate } from "../../platform/http/validate.ts";
import { kindsReadBy, SearchQuery, SearchResults, search, toSearchResults } from "./search.ts";

export const searchAdmin = new Hono<AppEnv>().get(
  "/search",
  administer("products:read_all"),
  validate("query", SearchQuery),
  answers("search", "Search orders, users, products, files and API keys", SearchResults, {
    description: "Finds records of all kinds by words, numbers or e-mail addresses. Use it to find an id.",
  }),
  async (c) => {
    const { caller, db } = c.var;
    const { q } = c.req.valid("query");
    const found = q === undefined ? [] : await search(db, q, kindsReadBy(caller), caller);
    return ok(c, "Search", toSearchResults(found, new URL(c.req.url).origin));
  },
);
