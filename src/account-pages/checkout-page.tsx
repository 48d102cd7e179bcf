import type { Context } from "hono";
import {
  confirmSession,
  type OpenedSession,
  openCheckoutSession,
  SessionConfirmation,
} from "../checkout/orders/sessions/complete.ts";
import type { SessionContent } from "../checkout/orders/sessions/content.ts";
import { formatMoney, toMinor } from "../domain/money.ts";
import { kindsOf } from "../panel/forms/conversion.ts";
import { type Failed, type FormInputs, formFor } from "../panel/forms/inputs.ts";
import { number, text } from "../panel/forms/kinds.ts";
import type { SentForm } from "../panel/forms/read-form.ts";
import { Columns, Field } from "../panel/kit/fields.tsx";
import { Button, Form } from "../panel/kit/form.tsx";
import { addressFieldsOf, addressInputs } from "../panel/orders/inputs.ts";
import { page } from "../panel/page.tsx";
import { type AppEnv, limitAddress } from "../platform/auth/gates.ts";
import { readShopTexts } from "../platform/email/emails.ts";
import { QuotedItems, visitor } from "./draft-page.tsx";
import { noOrderPage, shownOrderPage } from "./order-page.tsx";
import { AcceptTerms, acceptedTerms } from "./shop-page.tsx";

type SessionPageState = Extract<OpenedSession, { row: unknown }>;

const address = addressInputs("shipping_address");

const RARE = /\.(company|address2|region|phone|vat_id)$/;
const usualParts = addressFieldsOf("shipping_address").filter((name) => !RARE.test(name));
const rareParts = addressFieldsOf("shipping_address").filter((name) => RARE.test(name));

/** The inputs of the page, filled in with everything that the agent knows. */
const inputsOfCheckout = ({ quoted: { quote } }: SessionPageState) =>
  ({
    "customer.name": { as: "text", label: "Your name", required: true, maxlength: 100 },
    "customer.email": { as: "email", label: "E-mail address", required: true, maxlength: 254 },
    ...address,
    shipping_method: {
      as: "choice",
      label: "Delivery",
      required: true,
      read: number,
      options: quote.shipping_options.map(({ id, name, price }) => [
        String(id),
        `${name}: ${formatMoney(toMinor(price), quote.currency)}`,
      ]),
    },
    payment_method: {
      as: "choice",
      label: "Payment",
      required: true,
      options: quote.payment_options.filter(({ guests }) => guests).map(({ method, label }) => [method, label]),
    },
  }) satisfies FormInputs;

const valuesOfCheckout = ({ content, quoted: { quote } }: SessionPageState) => ({
  "customer.name": nameOf(content.buyer) || nameOf(content.address ?? {}),
  "customer.email": content.buyer.email ?? "",
  ...addressOfContent(content),
  shipping_method: String(quote.shipping_method?.id ?? ""),
  payment_method: content.payment_method ?? "",
});

const nameOf = ({ first_name = "", last_name = "" }: SessionContent["buyer"]): string =>
  `${first_name} ${last_name}`.trim();

const addressOfContent = ({ address: known = {}, buyer, place }: SessionContent) => ({
  "shipping_address.name": nameOf(known) || nameOf(buyer),
  "shipping_address.address": known.address ?? "",
  "shipping_address.address2": known.address2 ?? "",
  "shipping_address.zip": known.zip ?? place?.zip ?? "",
  "shipping_address.city": known.city ?? "",
  "shipping_address.region": known.region ?? place?.region ?? "",
  "shipping_address.country": (known.country ?? place?.country ?? "").toUpperCase(),
  "shipping_address.phone": known.phone ?? buyer.phone ?? "",
});

const isShipped = ({ content, quoted: { quote } }: SessionPageState): boolean =>
  content.address !== undefined || quote.items.some(({ type }) => type === "physical");

/** Problems that no input of the page solves. */
const unsolvable = ({ quoted }: SessionPageState) => quoted.problems.filter(({ field }) => field.startsWith("items."));

/** The checkout assembled by an agent, with the buyer's own choices. Afterwards, the resulting order. */
export async function checkoutPage(c: Context<AppEnv>, failed: Failed | null): Promise<Response> {
  await limitAddress(c, "anonymous");
  const token = c.req.query("token") ?? failed?.values.token?.[0] ?? "";
  const opened = await openCheckoutSession(visitor(c), token);
  if (!opened) return noOrderPage(c);
  if ("order" in opened) {
    return shownOrderPage(c, { row: opened.order, texts: await readShopTexts(c.var.db, c.var.settings.email) });
  }
  const { quote } = opened.quoted;
  const form = formFor(failed, "/account/checkout", {
    inputs: inputsOfCheckout(opened),
    values: valuesOfCheckout(opened),
  });
  const problems = unsolvable(opened);
  return page(
    c,
    "Checkout",
    <div class="card narrow">
      <h1>Checkout</h1>
      <QuotedItems quote={quote} />
      {problems.length > 0 ? (
        <div class="notice warning">
          <p>This order cannot be placed now.</p>
          <ul>
            {problems.map(({ message }) => (
              <li>{message}</li>
            ))}
          </ul>
        </div>
      ) : (
        <Form form={form} plain>
          <input type="hidden" name="token" value={token} />
          <input type="hidden" name="expected_total" value={String(quote.total)} />
          {opened.row.userId === null && <Columns form={form} names={["customer.name", "customer.email"]} />}
          {isShipped(opened) && (
            <>
              <h2>Ship to</h2>
              <Columns form={form} names={usualParts} />
              <details class="more" open={rareParts.some((name) => form.values[name]?.[0] || form.errors[name])}>
                <summary>Company, second line, region and phone</summary>
                <Columns form={form} names={rareParts} />
              </details>
              {quote.shipping_options.length > 0 && <Field form={form} name="shipping_method" />}
            </>
          )}
          {quote.total > 0 && <Field form={form} name="payment_method" />}
          <AcceptTerms terms={quote.terms} />
          <Button>Place order</Button>
        </Form>
      )}
    </div>,
  );
}

/**
 * Places the order. The page then has the button to pay, or payment instructions, because a form may not lead to
 * another site.
 */
export async function checkedOut(c: Context<AppEnv>, sent: SentForm): Promise<Response> {
  const has = (name: string) => Object.keys(sent.values).some((field) => field.startsWith(name));
  const confirmation = sent.read(SessionConfirmation, {
    token: text,
    expected_total: ([total]) => Number(total),
    accepted_terms: acceptedTerms,
    ...(has("customer.") && { "customer.name": text, "customer.email": text }),
    ...(has("shipping_address.") && kindsOf(address)),
    ...(has("shipping_method") && { shipping_method: number }),
    payment_method: ([method]) => method ?? "bank_transfer",
  });
  await confirmSession(visitor(c), confirmation);
  return c.redirect(`/account/checkout?token=${encodeURIComponent(confirmation.token)}`, 303);
}
