import { Hono } from "hono";
import { kindsReadBy, SearchQuery } from "../../back-office/search/schemas.ts";
import { search as find } from "../../back-office/search/search.ts";
import { accountScopeOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import type { PanelEnv } from "../env.ts";
import { readFilters } from "../forms/read-filters.ts";
import { page } from "../page.tsx";
import { SearchPage } from "./page.tsx";

export const search = new Hono<PanelEnv>().get("/search", administer("products:read"), async (c) => {
  const { query, form } = readFilters(c, SearchQuery);
  const { caller, db } = c.var;
  const { q } = query;
  const groups = q === undefined ? [] : await find(db, q, kindsReadBy(caller), accountScopeOf(caller));
  return page(c, "Search", <SearchPage form={form} q={q} groups={groups} />);
});
