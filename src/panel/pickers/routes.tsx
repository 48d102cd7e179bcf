import { Hono } from "hono";
import * as z from "zod";
import { accountScopeOf } from "../../auth/account-scope.ts";
import { administer } from "../../auth/gates.ts";
import { validate } from "../../http/validate.ts";
import { kinds, kindsReadBy } from "../../search/kinds.ts";
import { search } from "../../search/queries.ts";
import { SearchQuery } from "../../search/schemas.ts";
import type { PanelEnv } from "../env.ts";
import { ChoiceOptions } from "../kit/picker.tsx";
import { toChoice } from "./picker.ts";

const PickQuery = z.strictObject({
  /** Empty while nothing is typed. */
  q: z.literal("").or(SearchQuery.shape.q),
  kinds: z.string().transform((text) => kinds.filter((kind) => text.split(",").includes(kind))),
  references: z.stringbool().default(false),
});

/** What a picker offers while one types. */
export const pickers = new Hono<PanelEnv>().get(
  "/pick",
  administer("products:read"),
  validate("query", PickQuery),
  async (c) => {
    const { q, kinds, references } = c.req.valid("query");
    const { caller, db } = c.var;
    const wanted = kindsReadBy(caller).filter((kind) => kinds.includes(kind));
    const groups = !q || wanted.length === 0 ? [] : await search(db, q, wanted, accountScopeOf(caller));
    const picks = groups.flatMap(({ kind, results }) =>
      results.map((result) => toChoice({ name: "", kinds, references }, kind, result)),
    );
    return c.html(<ChoiceOptions picks={picks} />);
  },
);
