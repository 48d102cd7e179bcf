import { type Schema, StorefrontError } from "@storefront-worker/api/client";
import { Hono } from "hono";
import { findCart } from "../cart/my-cart.ts";
import type { AppEnv, ShopContext } from "../env.ts";
import { payAddress } from "../orders/pay-address.ts";
import { page } from "../page.tsx";
import { failureOf } from "../parts/failure.ts";
import { fieldsOf, type Values } from "../parts/form.ts";
import { tell } from "../told.ts";
import { type Draft, readDraft, writeDraft } from "./draft.ts";
import { initialValues, savedAddresses } from "./initial-values.ts";
import { meantEmail } from "./meant-email.ts";
import { askedIn, forNewCountries, missingIn, savedAddress } from "./order-form.ts";
import { CheckoutPage } from "./page.tsx";
import { paymentOptions } from "./payment-options.ts";
import { attemptOf, placeOrder } from "./place-order.ts";
import { codesIn, errorsOf, type Problem, problemsOf, tellOf } from "./problems.ts";
import { applyCodes, type QuoteResult, quoteCart } from "./quote.ts";

export const checkout = new Hono<AppEnv>()
  .get("/checkout", async (c) => checkoutPage(c, await readDraft(c)))
  // Every form is stored and answered by a redirect, so that going back finds a page instead of submitting again.
  .post("/checkout", async (c) => {
    const sent = await fieldsOf(c);
    const { update, remove_code } = sent;
    const values = asksForFields(update) ? forNewCountries(sent, (await readDraft(c))?.values ?? {}) : sent;
    if (update === "email") return show(c, withMeantEmail(values), "customer-email");
    if (update === "keep" || update === "live") return answerScript(c, values, update);
    if (remove_code !== undefined) return show(c, without(values, remove_code), "order");
    // A typed code is applied before the order is placed, because it changes the total.
    if (values.discount_code?.trim()) return applied(c, values);
    if (update === "total") return total(c, values);
    // Only a page that showed the total can place the order.
    if (update !== undefined || values.total === undefined) return show(c, values, places[update ?? ""] ?? "order");
    return order(c, values);
  });

/** True if the response has the address fields of the chosen country. */
const asksForFields = (update: string | undefined): boolean => update === "live" || /\.country$/.test(update ?? "");

/** The page's script needs no redirect: it gets a response at once, with the page if the total may have changed. */
async function answerScript(c: ShopContext, values: Values, update: "keep" | "live"): Promise<Response> {
  const draft = { values, problems: [] };
  await writeDraft(c, draft);
  return update === "keep" ? c.body(null, 204) : checkoutPage(c, draft);
}

/** The part of the page to which a button's response scrolls. */
const places: Record<string, string> = {
  "address.country": "address-country",
  "billing.country": "billing-country",
  shipping: "shipping",
};

async function show(c: ShopContext, values: Values, place: string): Promise<Response> {
  await writeDraft(c, { values, problems: [] });
  return c.redirect(`/checkout#${place}`, 303);
}

/** A total requires the destination of the order. */
function total(c: ShopContext, values: Values): Promise<Response> {
  const isPlace = ({ field }: Problem) => /\.(country|region)$/.test(field);
  const missing = missingIn(values, !c.var.shopper).filter(isPlace);
  return missing.length > 0 ? refuse(c, values, missing) : show(c, values, "order");
}

async function refuse(c: ShopContext, values: Values, problems: Problem[], attempt?: string): Promise<Response> {
  await writeDraft(c, { values, problems, attempt });
  return c.redirect("/checkout#problems", 303);
}

const without = (values: Values, code: string): Values => ({
  ...values,
  discount_codes: codesIn(values.discount_codes)
    .filter((other) => other !== code)
    .join(","),
});

const withMeantEmail = (values: Values): Values => ({
  ...values,
  "customer.email": meantEmail(values["customer.email"]) ?? values["customer.email"] ?? "",
});

async function applied(c: ShopContext, values: Values): Promise<Response> {
  const { codes, problems } = await applyCodes(c, values);
  const kept = { ...values, discount_codes: codes.join(",") };
  if (problems.length > 0) return refuse(c, kept, problems);
  return show(c, { ...kept, discount_code: "" }, "order");
}

async function order(c: ShopContext, values: Values): Promise<Response> {
  const missing = missingIn(values, !c.var.shopper);
  const { "customer.email": email = "", asked_email } = values;
  const meant = c.var.shopper || email === asked_email ? undefined : meantEmail(email);
  // Asked once: the address may be right.
  if (meant !== undefined) {
    const message = `Did you mean ${meant}? If not, order again`;
    const asked = { field: "customer.email", code: "misspelled", message };
    return refuse(c, { ...values, asked_email: email }, [asked, ...missing]);
  }
  if (missing.length > 0) return refuse(c, values, missing);
  try {
    const placed = await placeOrder(c, values);
    // The next order starts with this contact and address.
    const { discount_codes, discount_code, shipping_method, payment_method, save_address, ...rest } = values;
    const { accepted_terms, download_consent, ...others } = rest;
    await writeDraft(c, { values: others, problems: [], placed: placed.id });
    if (payAddress(placed)) return c.redirect(`/orders/${placed.id}/pay`, 303);
    return tell(c, "Thank you! Your order is placed.", `/orders/${placed.id}`);
  } catch (error) {
    const failure = failureOf(error);
    if (failure !== null) {
      console.error(error);
      return refuse(c, values, [{ field: "order", code: "failed", message: failure }], attemptOf(values));
    }
    if (!(error instanceof StorefrontError)) throw error;
    // The buyer went back and changed the form of an order that was already placed.
    if (error.status === 409) return tell(c, "This order has already been placed.", "/orders");
    if (error.status !== 400) throw error;
    return refuse(c, values, problemsOf(error));
  }
}

async function checkoutPage(c: ShopContext, draft: Draft | null): Promise<Response> {
  const [cart, profile, saved] = await Promise.all([findCart(c), findProfile(c), savedAddresses(c)]);
  if (cart.items.length === 0) return afterOrder(c, draft);
  const { values, quoted } = await quoteForm(c, cart, initialValues(c, draft?.values ?? {}, { profile, saved }));
  const told = tellOf([...(draft?.problems ?? []), ...quoted.problems], values);
  const attempt = draft?.attempt ?? crypto.randomUUID();
  // Problems are shown once.
  if (draft && draft.problems.length > 0) await writeDraft(c, { values: draft.values, problems: [] });
  const payer = { total: quoted.quote.total, wallet: profile?.wallet_balance };
  const options = paymentOptions(quoted.quote.payment_options, payer);
  const form = { values, errors: errorsOf(told) };
  const props = { form, told, attempt, cart, quoted, profile, saved, options, address: askedIn(values) };
  return page(c, told.length > 0 ? "Error: Checkout" : "Checkout", <CheckoutPage {...props} />);
}

/** Going back after ordering leads to the order instead of an empty cart. */
const afterOrder = (c: ShopContext, draft: Draft | null): Response =>
  draft?.placed === undefined
    ? c.redirect("/cart", 303)
    : tell(c, "You have already placed this order.", `/orders/${draft.placed}`);

/** Quotes the form with the address that the cart requires. If nothing is shipped, the address only affects tax. */
async function quoteForm(
  c: ShopContext,
  cart: Schema["Cart"],
  { asked, ...others }: Values,
): Promise<{ values: Values; quoted: QuoteResult }> {
  const isShipped = cart.items.some(({ requires_shipping }) => requires_shipping);
  if (!isShipped && asked !== "billing_address") {
    const quoted = await quoteCart(c, others);
    if (quoted.quote.tax_lines.length === 0) return { values: others, quoted };
  }
  const values: Values = { ...others, asked: isShipped ? "shipping_address" : "billing_address" };
  const quoted = await quoteCart(c, values);
  const [country, ...more] = (isShipped && quoted.quote.shipping_countries) || [];
  // A single country needs no choice.
  if (country && more.length === 0 && !values["address.country"] && !savedAddress(values))
    return quoteForm(c, cart, { ...values, "address.country": country });
  return { values, quoted };
}

async function findProfile({ var: { shopper } }: ShopContext): Promise<Schema["Profile"] | null> {
  return shopper && (await shopper.GET("/api/v1/user/account/profile")).data;
}
