import { type Schema, StorefrontError } from "@storefront-worker/api/client";
import { myCart } from "../cart/my-cart.ts";
import type { ShopContext } from "../env.ts";
import type { Values } from "../parts/form.ts";
import { clientAddress } from "../session/client-address.ts";
import { askedIn, quotedOf, savedAddress } from "./order-form.ts";
import { codesIn, type Problem, problemsOf } from "./problems.ts";

type Quote = Schema["Quote"];
type Choices = ReturnType<typeof quotedOf>;

/** The quote of a cart, whether its total is final, and the problems that prevent the order. */
export type QuoteResult = { quote: Quote; isFinal: boolean; problems: Problem[] };

/** Quotes the cart with the submitted values, without those that the API refuses. */
export async function quoteCart(c: ShopContext, values: Values): Promise<QuoteResult> {
  const choices = quotedOf(values, !c.var.shopper);
  const { customer: _, ...others } = choices;
  for (const attempt of [choices, others, {}]) {
    try {
      return toQuoted(await ask(c, attempt), values);
    } catch (error) {
      if (!isRefusal(error, 400)) throw error;
    }
  }
  throw new Error("The API refuses to quote the cart");
}

/** The discount codes of a form, including typed ones if they are valid, and the problems of invalid ones. */
export async function applyCodes(c: ShopContext, values: Values): Promise<{ codes: string[]; problems: Problem[] }> {
  const codes = codesIn([values.discount_codes, values.discount_code].filter(Boolean).join(","));
  const known = codesIn(values.discount_codes);
  try {
    const { problems } = await ask(c, quotedOf({ ...values, discount_codes: codes.join(",") }, !c.var.shopper));
    const refused = problems.filter(({ field }) => field.startsWith("discount_codes."));
    const isGood = (_: string, index: number) => refused.every(({ field }) => field !== `discount_codes.${index}`);
    return { codes: codes.filter(isGood), problems: refused.map((problem) => inWords(problem, codes)) };
  } catch (error) {
    if (isRefusal(error, 429)) return { codes: known, problems: [tooManyCodes] };
    if (!isRefusal(error, 400)) throw error;
    const refused = problemsOf(error).filter(({ field }) => field.startsWith("discount_codes"));
    return { codes: known, problems: refused.map((problem) => inWords(problem, codes)) };
  }
}

const tooManyCodes: Problem = {
  field: "discount_code",
  code: "rate_limited",
  message: "Too many codes were tried. Wait an hour, or order without a code",
};

/** Names the code that has the problem. */
const inWords = ({ field, code, message }: Problem, codes: string[]): Problem => ({
  field: "discount_code",
  code,
  message: `${codes[Number(field.split(".")[1])] ?? "The code"} ${message}`,
});

const isRefusal = (error: unknown, status: number): error is StorefrontError =>
  error instanceof StorefrontError && error.status === status;

async function ask(c: ShopContext, choices: Choices): Promise<Quote> {
  const { api, header } = myCart(c);
  const body = { cart: true as const, ...choices };
  const headers = { ...header, ...clientAddress(c) };
  return (await api.POST("/api/v1/user/checkout/quote", { params: { header: headers }, body })).data;
}

function toQuoted(quote: Quote, values: Values): QuoteResult {
  const isPlaced = savedAddress(values) !== undefined || Boolean(values["address.country"]);
  const isWaiting = quote.problems.some(({ field }) => /^(shipping|billing)_address/.test(field));
  const isFinal = askedIn(values) === undefined || (isPlaced && !isWaiting);
  return { quote, isFinal, problems: quote.problems.filter((problem) => !isSolvedByForm(problem)) };
}

/** True for problems that the form solves: it asks for the address, and shows the available shipping methods. */
const isSolvedByForm = ({ field, code }: Problem): boolean =>
  (field === "shipping_address" && code === "required") ||
  /_address\.region$/.test(field) ||
  field === "shipping_method";
