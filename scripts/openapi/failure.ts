import * as z from "zod";
import { type DetailMembers, detailMembers, fieldCodes, refusalCodes } from "../../src/domain/error-codes.ts";

/** A Markdown list of codes and their meanings. */
export const told = (codes: Record<string, string>): string =>
  Object.entries(codes)
    .map(([code, words]) => `- \`${code}\`: ${words}`)
    .join("\n");

const Code = z.enum(Object.keys(refusalCodes)).meta({
  id: "ErrorCode",
  description: `Reason why the request was rejected. More codes may be added: treat an unknown code by the HTTP status.\n\n${told(refusalCodes)}`,
});

const DetailCode = z.enum(Object.keys({ ...refusalCodes, ...fieldCodes })).meta({
  id: "ErrorDetailCode",
  description: `Problem with the field: a code of \`ErrorCode\`, or one of these.\n\n${told(fieldCodes)}`,
});

const facts: { [Name in keyof DetailMembers]: z.ZodType<DetailMembers[Name]> } = {
  price: z.number().describe("Current price"),
  available: z.number().describe("Number of units or amount available"),
  balance: z.number().describe("Current wallet balance"),
  limit: z.number().describe("Limit that was exceeded: an amount, or a number of characters, items or bytes"),
  expected: z.string().describe("Required JSON type"),
  allowed: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])).describe("Accepted values"),
  held: z.int().describe("Number of units held by unshipped orders"),
  permission: z.string().describe("Required permission"),
  denied_reason: z
    .string()
    .describe("Reason why the file cannot be downloaded, with the values of a file's `denied_reason`"),
  order_number: z.string().describe("Number of the earlier order"),
  oldest_id: z.int().describe("Id of the oldest event available"),
  subtotal: z.number().describe("Current subtotal of the order"),
  discount_total: z.number().describe("Current discounts of the order"),
  shipping_total: z.number().describe("Current shipping price of the order"),
  tax_total: z.number().describe("Current tax of the order"),
  total: z.number().describe("Current total of the order"),
  variants: z
    .array(
      z.object({
        product_id: z.int(),
        sku: z.string(),
        option_values: z.array(z.object({ name: z.string(), value: z.string() })),
        price: z.number(),
        in_stock: z.boolean(),
      }),
    )
    .describe("The first active variants of the product, at most 100"),
  variants_total: z.int().describe("Number of active variants of the product"),
  until: z.iso.datetime().describe("When the wallet can be spent again"),
};

/** Error codes that carry this member. */
const codesWith = (fact: string): string[] =>
  Object.entries(detailMembers).flatMap(([code, names]) => (names.some((name) => name === fact) ? [code] : []));

const withCodes = Object.entries(facts).map(([name, schema]): [string, z.ZodType] => {
  const codes = codesWith(name).map((code) => `\`${code}\``);
  return [name, schema.optional().describe(`${schema.description}. Sent with ${codes.join(", ")}`)];
});

const Detail = z
  .object({
    field: z
      .string()
      .describe("Path of the field, such as `items.0.price`; the name of a header; or `body` for the whole body"),
    code: DetailCode,
    ...Object.fromEntries(withCodes),
  })
  .meta({ id: "ErrorDetail", description: "An error of one field in machine-readable form" });

/** The body of every error response. */
export const Failure = z
  .object({
    status: z.literal("error"),
    message: z.string().describe("Message for people"),
    code: Code,
    errors: z.record(z.string(), z.array(z.string())).describe("Messages for people by field, such as `items.0.price`"),
    details: z.array(Detail).describe("The errors in machine-readable form"),
  })
  .meta({
    id: "Error",
    description: "An error. `code` is the code shared by all details, or `validation_failed` if they differ",
  });
