import { Hono } from "hono";
import * as z from "zod";
import { kindsReadBy, SearchQuery, search, searchKinds } from "../../back-office/search/search.ts";
import { accountScopeOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { validate } from "../../platform/http/validate.ts";
import type { PanelEnv } from "../env.ts";
import { ChoiceOptions } from "../kit/fields.tsx";
import { toFound } from "./picker.ts";

const PickQuery = z.strictObject({
  /** Empty until something is typed. */
  q: z.literal("").or(SearchQuery.shape.q),
  kinds: z.string().transform((text) => searchKinds.filter((kind) => text.split(",").includes(kind))),
  references: z.stringbool().default(false),
});

/** Matches of a picker while typing. */
export const pickers = new Hono<PanelEnv>().get(
  "/pick",
  administer("products:read"),
  validate("query", PickQuery),
  async (c) => {
    const { q, kinds, references } = c.req.valid("query");
    const { caller, db } = c.var;
    const wanted = kindsReadBy(caller).filter((kind) => kinds.includes(kind));
    const groups = !q || wanted.length === 0 ? [] : await search(db, q, wanted, accountScopeOf(caller));
    const picks = groups.flatMap(({ kind, results }) => results.map((result) => toFound({ references }, kind, result)));
    return c.html(<ChoiceOptions picks={picks} />);
  },
);
