import * as z from "zod";
import { IdText, iso, line, partialUpdate, Text, Timestamp } from "../../domain/fields.ts";
import { languages } from "../../domain/language.ts";
import { htmlOfMarkdown } from "../../domain/markdown.ts";
import { PageQuery } from "../../platform/http/pagination.ts";
import { pageSlugs, type pageVersions } from "./tables.ts";

export type PageRow = typeof pageVersions.$inferSelect;

/** A page without its text. */
export type PageSummaryRow = Omit<PageRow, "text">;

const MAX_TITLE = 100;
const MAX_TEXT = 100_000;

export const ShopPageSummary = z
  .object({
    slug: z.enum(pageSlugs),
    language: z.enum(languages),
    version: z.int().describe("Id of the text, which never changes. Each change of a page makes a version"),
    title: z.string(),
    updated_at: Timestamp,
  })
  .meta({ id: "ShopPageSummary" });
export type ShopPageSummary = z.output<typeof ShopPageSummary>;

export const ShopPage = ShopPageSummary.extend({
  text: z.string().describe("Text in Markdown. Empty if the page was withdrawn"),
  text_html: z.string().describe("The text as HTML, safe to insert into a page"),
}).meta({ id: "ShopPage" });

export const toShopPageSummary = ({ id, slug, language, title, createdAt }: PageSummaryRow): ShopPageSummary => ({
  slug,
  language,
  version: id,
  title,
  updated_at: iso(createdAt),
});

export const toShopPage = (row: PageRow): z.output<typeof ShopPage> => ({
  ...toShopPageSummary(row),
  text: row.text,
  text_html: htmlOfMarkdown(row.text),
});

export const PageParam = z.object({ slug: z.enum(pageSlugs) });
export const PageTextParams = PageParam.extend({ language: z.enum(languages) });

const language = z.enum(languages).optional().describe("Preferred language. Defaults to the shop's");

export const PagesQuery = PageQuery.extend({ language });

export const PageVersionQuery = z.strictObject({
  language,
  version: IdText.optional().describe("Id of an earlier text, such as an order's `accepted_terms`"),
});
export type PageVersionQuery = z.output<typeof PageVersionQuery>;

export const ShopPageUpdate = partialUpdate("ShopPageUpdate", {
  title: line(MAX_TITLE),
  text: Text.max(MAX_TEXT).describe("Text in Markdown. Empty to withdraw the page"),
});
export type ShopPageUpdate = z.output<typeof ShopPageUpdate>;
