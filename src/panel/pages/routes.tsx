import { type Context, Hono } from "hono";
import { shopFields } from "../../back-office/shop/fields.ts";
import { findPageVersion, listPageTexts, listPageVersions } from "../../catalogue/pages/pages.ts";
import { PageTextParams, ShopPageUpdate } from "../../catalogue/pages/schemas.ts";
import { type PageSlug, pageSlugs } from "../../catalogue/pages/tables.ts";
import { changePage } from "../../catalogue/pages/write.ts";
import { requireFound } from "../../domain/errors.ts";
import { IdParam } from "../../domain/fields.ts";
import { type Language, languageNames, languages } from "../../domain/language.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { valid, validate } from "../../platform/http/validate.ts";
import { submitForm } from "../forms/attempt.ts";
import { kindsOf } from "../forms/conversion.ts";
import { type Failed, type FormInputs, formFor } from "../forms/inputs.ts";
import { text } from "../forms/kinds.ts";
import { When } from "../kit/dates.tsx";
import { Fields } from "../kit/fields.tsx";
import { FormCard, PageHeader } from "../kit/page-parts.tsx";
import { Table } from "../kit/table.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { shopSettings } from "../shop-settings.ts";

const PAGES = "/admin/pages";

const names: Record<PageSlug, string> = {
  terms: "Terms and conditions",
  privacy: "Privacy policy",
  imprint: "Imprint",
  withdrawal: "Withdrawal policy",
  returns: "Returns",
  shipping: "Shipping and delivery",
};

const { terms_required } = shopFields;
const rule = shopSettings(PAGES, { terms_required }, "The setting was saved.");

const inputs = {
  title: { as: "text", label: "Title", required: true, maxlength: 100, read: text },
  text: {
    as: "lines",
    label: "Text",
    rows: 24,
    markdown: true,
    hint: "**bold**, *italic*, - list, ## heading, [link](https://example.com). Leave empty to withdraw the page.",
    read: text,
  },
} satisfies FormInputs;

export const pageTexts = new Hono<PanelEnv>()
  .get("/pages", administer("settings:read"), (c) => pagesPage(c, null))
  .post("/pages", administer("settings:write"), submitForm(pagesPage, rule.save))
  // Resolves the audit log's reference.
  .get("/pages/versions/:id", administer("settings:read"), validate("param", IdParam), async (c) => {
    const { id } = c.req.valid("param");
    const found = await requireFound(findPageVersion(c.var.db, id), `Version ${id}`);
    return c.redirect(`${PAGES}/${found.slug}/${found.language}`, 303);
  })
  .get("/pages/:slug/:language", administer("settings:read"), (c) => textPage(c, null))
  .post(
    "/pages/:slug/:language",
    administer("settings:write"),
    submitForm(textPage, async (c, sent) => {
      const change = sent.read(ShopPageUpdate, kindsOf(inputs));
      await changePage(writeContextOf(c), { ...valid(PageTextParams, c.req.param()), change });
      return "The page was saved. Orders keep the version that they accepted.";
    }),
  );

async function pagesPage(c: Context<PanelEnv>, failed: Failed | null) {
  const [{ shop, form }, texts] = await Promise.all([rule.read(c, failed), listPageTexts(c.var.db)]);
  const rows = pageSlugs.map((slug) => ({ slug, written: texts.filter((each) => each.slug === slug) }));
  return page(
    c,
    "Pages",
    <>
      <PageHeader />
      <p class="muted">Pages that you have written are linked from your shop, its checkout and the pages of orders.</p>
      <Table
        label="Pages"
        phone="lines"
        rows={rows}
        columns={[
          { title: "Page", cell: ({ slug }) => <a href={`${PAGES}/${slug}/${shop.language}`}>{names[slug]}</a> },
          {
            title: "Languages",
            cell: ({ written }) => written.map(({ language }) => languageNames[language]).join(", ") || "not written",
          },
          {
            title: "Changed",
            cell: ({ written }) =>
              written.length > 0 && <When at={Math.max(...written.map(({ createdAt }) => createdAt))} brief />,
          },
        ]}
      />
      <FormCard form={form} needs="settings:write" button="Save">
        <Fields form={form} names={["terms_required"]} />
      </FormCard>
    </>,
  );
}

async function textPage(c: Context<PanelEnv>, failed: Failed | null) {
  const { slug, language } = valid(PageTextParams, c.req.param());
  const versions = await listPageVersions(c.var.db, { slug, language });
  const [current] = versions;
  const values = { title: current?.title ?? names[slug], text: current?.text ?? "" };
  const form = formFor(failed, pathOf(slug, language), { inputs, values });
  return page(
    c,
    names[slug],
    <>
      <PageHeader title={names[slug]} />
      <nav aria-label="Language" class="tabs">
        {languages.map((each) => (
          <a href={pathOf(slug, each)} aria-current={each === language ? "page" : undefined}>
            {languageNames[each]}
          </a>
        ))}
      </nav>
      <FormCard form={form} needs="settings:write" button="Save page">
        <Fields form={form} names={["title", "text"]} />
      </FormCard>
      {versions.length > 0 && <h2>Versions</h2>}
      <ul>
        {versions.map(({ id, title, createdAt }) => (
          <li>
            <a href={`/account/pages/${slug}?version=${id}`}>{title}</a> <When at={createdAt} />
          </li>
        ))}
      </ul>
    </>,
  );
}

const pathOf = (slug: PageSlug, language: Language): string => `${PAGES}/${slug}/${language}`;
