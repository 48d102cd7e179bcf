import type { Context } from "hono";
import { requirePage } from "../catalogue/pages/pages.ts";
import { PageParam, PageVersionQuery } from "../catalogue/pages/schemas.ts";
import type { Quote } from "../checkout/orders/create/quote.ts";
import { preferredLanguage } from "../domain/language.ts";
import { When } from "../panel/kit/dates.tsx";
import { FormattedText } from "../panel/kit/values.tsx";
import { page } from "../panel/page.tsx";
import { type AppEnv, limitAddress } from "../platform/auth/gates.ts";
import { valid } from "../platform/http/validate.ts";

/** A page of the shop, such as its terms: the current text, or the version that an order accepted. */
export async function shopPage(c: Context<AppEnv>): Promise<Response> {
  await limitAddress(c, "anonymous");
  const { slug } = valid(PageParam, c.req.param());
  const query = valid(PageVersionQuery, c.req.query());
  const language = query.language ?? preferredLanguage(c.req.header("Accept-Language") ?? null) ?? undefined;
  const found = await requirePage(c.var.db, { slug, ...query, language });
  c.set("language", found.language);
  return page(
    c,
    found.title,
    <article class="card">
      <h1>{found.title}</h1>
      <FormattedText markdown={found.text} />
      <p class="muted">
        <When at={found.createdAt} />
      </p>
    </article>,
  );
}

/** A box with which the buyer accepts the terms, if the shop asks for it. It sends the version that they saw. */
export const AcceptTerms = ({ terms }: Pick<Quote, "terms">) =>
  terms && (
    <div class="check">
      <input type="checkbox" name="accepted_terms" value={String(terms.version)} required id="accepted_terms" />
      <label for="accepted_terms">
        I have read and accept:{" "}
        <a href={`/account/pages/terms?version=${terms.version}`} target="_blank" rel="noopener">
          {terms.title}
        </a>
      </label>
    </div>
  );

/** Reads the accepted version of a form that has the box. */
export const acceptedTerms = ([version]: readonly string[] = []): number | undefined =>
  version === undefined ? undefined : Number(version);
