import type { Context } from "hono";
import * as z from "zod";
import { confirmDraft, type OpenedDraft, openDraft } from "../checkout/orders/drafts/link.ts";
import { Address, addressLines } from "../domain/address.ts";
import { Id, Text } from "../domain/fields.ts";
import { Price, toMinor } from "../domain/money.ts";
import { nameWithValues } from "../domain/option-values.ts";
import { kindsOf } from "../panel/forms/conversion.ts";
import { type Failed, formFor } from "../panel/forms/inputs.ts";
import { text } from "../panel/forms/kinds.ts";
import type { SentForm } from "../panel/forms/read-form.ts";
import { Columns } from "../panel/kit/fields.tsx";
import { Button, Form } from "../panel/kit/form.tsx";
import { Table } from "../panel/kit/table.tsx";
import { pricedOf, Totals } from "../panel/kit/totals.tsx";
import { Lines, MoneyAmount } from "../panel/kit/values.tsx";
import { addressFieldsOf, addressInputs } from "../panel/orders/inputs.ts";
import { page } from "../panel/page.tsx";
import { authorOf } from "../platform/auth/caller.ts";
import { type AppEnv, limitAddress } from "../platform/auth/gates.ts";
import { readShopTexts } from "../platform/email/emails.ts";
import { noOrderPage, shownOrderPage } from "./order-page.tsx";
import { AcceptTerms, acceptedTerms } from "./shop-page.tsx";

/** The confirmation of the page's form. */
const DraftConfirmation = z.strictObject({
  token: Text.max(200),
  expected_total: Price,
  shipping_address: Address.optional(),
  accepted_terms: Id.optional(),
});

/** The context of a person who opens a link. */
export const visitor = (c: Context<AppEnv>) => {
  const caller = { kind: "anonymous" } as const;
  const { db, settings, requestId } = c.var;
  return { env: c.env, db, settings, caller, author: authorOf({ req: c.req, var: { requestId, settings, caller } }) };
};

/** A draft sent by staff: its lines and total, and a button to confirm it. Afterwards, the resulting order. */
export async function draftPage(c: Context<AppEnv>, failed: Failed | null): Promise<Response> {
  await limitAddress(c, "anonymous");
  const token = c.req.query("token") ?? failed?.values.token?.[0] ?? "";
  const opened = await openDraft(visitor(c), token);
  if (!opened) return noOrderPage(c);
  if ("order" in opened) {
    return shownOrderPage(c, { row: opened.order, texts: await readShopTexts(c.var.db, c.var.settings.email) });
  }
  const form = formFor(failed, "/account/draft", { inputs: addressInputs("shipping_address") });
  return page(
    c,
    "Your order",
    <div class="card narrow">
      <h1>Your order</h1>
      <Contents {...opened} />
      <Form form={form} plain>
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="expected_total" value={String(opened.quote.total)} />
        {asksForAddress(opened) && (
          <>
            <h2>Ship to</h2>
            <Columns form={form} names={addressFieldsOf("shipping_address")} />
          </>
        )}
        <AcceptTerms terms={opened.quote.terms} />
        <Confirm {...opened} shopName={c.var.shopName} />
      </Form>
    </div>,
  );
}

type DraftPageState = Extract<OpenedDraft, { draft: unknown }>;

/** Problems that the buyer solves by entering an address. */
const ofAddress = ({ field }: { field: string }): boolean => field.startsWith("shipping_address");

const asksForAddress = ({ quote, draft: { content } }: DraftPageState): boolean =>
  quote.problems.some(ofAddress) && !content.shipping_address && !content.shipping_address_id;

/** The items of a quote and its total. */
export const QuotedItems = ({ quote }: Pick<DraftPageState, "quote">) => (
  <>
    <Table
      label="Items"
      rows={quote.items}
      columns={[
        {
          title: "Product",
          cell: ({ name, option_values }) => nameWithValues({ name: name ?? "", optionValues: option_values }),
        },
        { title: "Quantity", numeric: true, cell: ({ quantity }) => String(quantity) },
        {
          title: "Total",
          numeric: true,
          cell: ({ total }) => <MoneyAmount minor={toMinor(total)} currency={quote.currency} />,
        },
      ]}
      phone="lines"
    />
    <Totals order={pricedOf(quote)} />
  </>
);

const Contents = ({ quote, draft }: DraftPageState) => {
  const address = Address.safeParse(draft.content.shipping_address).data;
  return (
    <>
      <QuotedItems quote={quote} />
      {address && (
        <>
          <h2>Ship to</h2>
          <p class="address">
            <Lines lines={addressLines(address)} />
          </p>
        </>
      )}
    </>
  );
};

/** The button, or the reason why the order cannot be confirmed now. */
const Confirm = ({ shopName, ...opened }: DraftPageState & { shopName: string | undefined }) => {
  const { problems } = opened.quote;
  const others = asksForAddress(opened) ? problems.filter((problem) => !ofAddress(problem)) : problems;
  if (others.length === 0) return <Button>Confirm order</Button>;
  return (
    <div class="notice warning">
      <p>This order cannot be confirmed now. Contact {shopName ?? "the shop"}.</p>
      <ul>
        {others.map(({ message }) => (
          <li>{message}</li>
        ))}
      </ul>
    </div>
  );
};

/**
 * Places the order. The page then has the button to pay, or payment instructions, because a form may not lead to
 * another site.
 */
export async function confirmed(c: Context<AppEnv>, sent: SentForm): Promise<Response> {
  const hasAddress = Object.keys(sent.values).some((name) => name.startsWith("shipping_address."));
  const confirmation = sent.read(DraftConfirmation, {
    token: text,
    expected_total: ([total]) => Number(total),
    accepted_terms: acceptedTerms,
    ...(hasAddress && kindsOf(addressInputs("shipping_address"))),
  });
  await confirmDraft(visitor(c), confirmation);
  return c.redirect(`/account/draft?token=${encodeURIComponent(confirmation.token)}`, 303);
}
