import { Hono } from "hono";
import * as z from "zod";
import {
  type Kind,
  kindsReadBy,
  type SearchGroup,
  SearchQuery,
  search,
  searchKinds,
} from "../../back-office/search/search.ts";
import { staff } from "../../platform/auth/gates.ts";
import { validate } from "../../platform/http/validate.ts";
import type { FormState } from "../forms/inputs.ts";
import { readFilters } from "../forms/read-form.ts";
import { ChoiceOptions } from "../kit/fields.tsx";
import { FilterBar } from "../kit/filters.tsx";
import { ErrorSummary } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-parts.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { toFound } from "../pickers/picker.ts";
import { referencePages } from "../references.ts";
import { pagesNamed } from "../sections.ts";

export const searchPages = new Hono<PanelEnv>().get("/search", staff, async (c) => {
  const { query, form } = readFilters(c, SearchQuery, { q: { as: "search", label: "Words or a number" } });
  const { caller, db } = c.var;
  const { q } = query;
  const groups = q === undefined ? [] : await search(db, q, kindsReadBy(caller), caller);
  const pages = q === undefined ? [] : pagesNamed(caller, q);
  return page(c, "Search", <SearchPage {...{ form, q, groups, pages }} />);
});

const names: Record<Kind, string> = {
  order: "Orders",
  user: "Customers",
  product: "Products",
  file: "Files",
  api_key: "API keys",
};

type SearchPageProps = {
  form: FormState<"q">;
  q: string | undefined;
  groups: SearchGroup[];
  pages: ReturnType<typeof pagesNamed>;
};

const SearchPage = ({ form, q, groups, pages }: SearchPageProps) => (
  <>
    <PageHeader />
    <ErrorSummary {...form} />
    <FilterBar form={form} submit="Search" />
    <div data-found>
      <p class="muted" role="status">
        {q === undefined
          ? "Orders, customers, products, files, API keys, settings and pages"
          : totalOf(pages.length + groups.reduce((sum, { results }) => sum + results.length, 0))}
      </p>
      {pages.length > 0 && (
        <section>
          <h2>Pages</h2>
          <ul class="found">
            {pages.map(({ path, name, about }) => (
              <li>
                <a href={path}>
                  {name} <span class="muted">{about}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      {q !== undefined && groups.map((group) => <Group {...group} q={q} />)}
    </div>
  </>
);

function totalOf(total: number): string {
  if (total === 0) return "No results";
  return total === 1 ? "1 result" : `${total} results`;
}

/** First results of a kind with a link to all. */
const Group = ({ kind, results, q }: SearchGroup & { q: string }) => (
  <section>
    <h2>
      <a href={`/admin/${referencePages[kind].path}?${new URLSearchParams({ search: q })}`}>{names[kind]}</a>
    </h2>
    <ul class="found">
      {results.map(({ id, label, detail }) => (
        <li>
          <a href={`/admin/${referencePages[kind].path}/${id}`}>
            {label} <span class="muted">{detail}</span>
          </a>
        </li>
      ))}
    </ul>
  </section>
);

const PickQuery = z.strictObject({
  /** Empty until something is typed. */
  q: z.literal("").or(SearchQuery.shape.q),
  kinds: z.string().transform((text) => searchKinds.filter((kind) => text.split(",").includes(kind))),
  references: z.stringbool().default(false),
  sellable: z.stringbool().default(false),
});

/** Matches of a picker while typing. */
export const pickers = new Hono<PanelEnv>().get("/pick", staff, validate("query", PickQuery), async (c) => {
  const { q, kinds, references, sellable } = c.req.valid("query");
  const { caller, db } = c.var;
  const wanted = kindsReadBy(caller).filter((kind) => kinds.includes(kind));
  const groups = !q || wanted.length === 0 ? [] : await search(db, q, wanted, caller, sellable);
  const picks = groups.flatMap(({ kind, results }) => results.map((result) => toFound({ references }, kind, result)));
  return c.html(<ChoiceOptions picks={picks} />);
});
