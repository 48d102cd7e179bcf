import { type Schema, StorefrontError } from "storefront/client";
import { myCart } from "../cart/my-cart.ts";
import type { ShopContext } from "../env.ts";
import { clientAddress } from "../session/client-address.ts";
import { type AddressKind, choicesOf } from "./order-form.ts";
import { type Problem, problemsOf } from "./problems.ts";

/** The quote of a cart, whether its total is final, and the problems that prevent the order. */
export type Quoted = { quote: Schema["Quote"]; isFinal: boolean; problems: Problem[] };

/** Quotes the cart with the submitted values, or without them if the API refuses them. */
export async function quoteCart(c: ShopContext, values: Record<string, string>): Promise<Quoted> {
  const { api, header } = myCart(c);
  const ask = async (choices: Omit<Schema["QuoteRequest"], "cart">) => {
    const body = { cart: true as const, ...choices };
    const headers = { ...header, ...clientAddress(c) };
    return (await api.POST("/api/v1/user/checkout/quote", { params: { header: headers }, body })).data;
  };
  const choices = choicesOf(values, c.var.shopper ? "shopper" : "guest");
  try {
    const quote = await ask(choices);
    const problems = quote.problems.filter((problem) => !isAddressMissing(problem));
    return { quote, isFinal: isFinal(quote, choices), problems };
  } catch (error) {
    if (!(error instanceof StorefrontError)) throw error;
    const { discount_codes, ...others } = choices;
    if (error.status === 429 && discount_codes) {
      const quote = await ask(others);
      return { quote, isFinal: isFinal(quote, others), problems: [tooManyCodes] };
    }
    if (error.status !== 400) throw error;
    const quote = await ask({});
    return { quote, isFinal: isFinal(quote, {}), problems: problemsOf(error) };
  }
}

const tooManyCodes: Problem = {
  field: "discount_codes",
  code: "rate_limited",
  message: "Too many codes were tried. Wait an hour, or order without a code",
};

type Addresses = Pick<Schema["QuoteRequest"], AddressKind>;

function isFinal(quote: Schema["Quote"], { shipping_address, billing_address }: Addresses): boolean {
  const isTaxed = quote.tax_lines.length > 0 && !shipping_address && !billing_address;
  return (quote.problems.every(isOfNoAddress) && !isTaxed) || isSameEverywhere(quote);
}

const isOfNoAddress = ({ field }: Problem): boolean => !/^(shipping|billing)_address/.test(field);

/** True for the problem that goods need shipping and no address was given yet. */
const isAddressMissing = ({ field, code }: Problem): boolean => field === "shipping_address" && code === "required";

/** True if neither shipping nor tax seems to depend on the address. */
const isSameEverywhere = ({ shipping_options, tax_lines, problems }: Schema["Quote"]): boolean =>
  shipping_options.length === 0 && tax_lines.length === 0 && problems.every(isAddressMissing);
