import { type Context, Hono } from "hono";
import { CategoryChange, NewCategory } from "../../catalogue/categories/admin-schemas.ts";
import type { categoryFields } from "../../catalogue/categories/fields.ts";
import { listCategories } from "../../catalogue/categories/queries.ts";
import { changeCategory, createCategory, removeCategory, requireCategory } from "../../catalogue/categories/write.ts";
import { IdParam } from "../../domain/fields.ts";
import { writeRequestOf } from "../../platform/administration/write-queries.ts";
import { administer } from "../../platform/auth/gates.ts";
import { PageQuery, pageOf } from "../../platform/http/pagination.ts";
import { validate } from "../../platform/http/validate.ts";
import type { PanelEnv } from "../env.ts";
import { redirectWithFlash } from "../flash.ts";
import { submit } from "../forms/attempt.ts";
import { type FieldKind, optional, text } from "../forms/kinds.ts";
import { readFilters } from "../forms/read-filters.ts";
import type { Failed } from "../forms/state.ts";
import { page } from "../page.tsx";
import { CategoriesPage, CategoryPage } from "./pages.tsx";

const LIST = "/admin/categories";

const kinds: Record<keyof typeof categoryFields, FieldKind> = { name: text, slug: optional };

export const categories = new Hono<PanelEnv>()
  .get("/categories", administer("products:read"), (c) => listPage(c, null))
  .post("/categories", administer("products:write"), async (c) => {
    return submit(
      c,
      (failed) => listPage(c, failed),
      async (sent) => {
        const { name } = await createCategory(writeRequestOf(c, sent.ifMatch), sent.read(NewCategory, kinds));
        return redirectWithFlash(c, LIST, `${name} was created.`);
      },
    );
  })
  .get("/categories/:id", administer("products:read"), validate("param", IdParam), (c) =>
    editPage(c, c.req.valid("param").id, null),
  )
  .post("/categories/:id", administer("products:write"), validate("param", IdParam), async (c) => {
    const { id } = c.req.valid("param");
    return submit(
      c,
      (failed) => editPage(c, id, failed),
      async (sent) => {
        const change = sent.readChange(CategoryChange, kinds);
        const { name } = await changeCategory(writeRequestOf(c, sent.ifMatch), id, change);
        return redirectWithFlash(c, LIST, `${name} was saved.`);
      },
    );
  })
  .post("/categories/:id/delete", administer("products:write"), validate("param", IdParam), async (c) => {
    const { id } = c.req.valid("param");
    return submit(
      c,
      (failed) => editPage(c, id, failed),
      async (sent) => {
        await removeCategory(writeRequestOf(c, sent.ifMatch), id);
        return redirectWithFlash(c, LIST, "The category was deleted.");
      },
    );
  });

async function listPage(c: Context<PanelEnv>, failed: Failed | null) {
  const { query } = readFilters(c, PageQuery);
  const { rows, totalItems, totalIsExact } = await listCategories(c.var.db, query);
  const place = pageOf(query, totalItems, totalIsExact);
  return page(c, "Categories", <CategoriesPage rows={rows} place={place} url={c.req.url} failed={failed} />);
}

async function editPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const category = await requireCategory(c.var.db, id);
  return page(c, category.name, <CategoryPage category={category} failed={failed} />);
}
