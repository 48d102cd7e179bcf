import * as z from "zod";
import { fieldCodes, refusalCodes } from "../../src/domain/error-codes.ts";
import { type DetailMembers, detailMembers } from "../../src/domain/error-details.ts";

/** A list of codes and what each says, for whoever reads the document. */
const told = (codes: Record<string, string>): string =>
  Object.entries(codes)
    .map(([code, words]) => `- \`${code}\`: ${words}`)
    .join("\n");

const Code = z.enum(Object.keys(refusalCodes)).meta({
  id: "ErrorCode",
  description: `Why the request was refused. More codes may be added: treat one that you do not know by its status.\n\n${told(refusalCodes)}`,
});

const DetailCode = z.enum(Object.keys({ ...refusalCodes, ...fieldCodes })).meta({
  id: "ErrorDetailCode",
  description: `What is wrong with the field: a code of the whole refusal, or one of these.\n\n${told(fieldCodes)}`,
});

const facts: { [Name in keyof DetailMembers]: z.ZodType<DetailMembers[Name]> } = {
  price: z.number().describe("The price now"),
  available: z.number().describe("How many there are, or how much"),
  balance: z.number().describe("What the wallet holds"),
  limit: z.number().describe("The least or most that is taken: an amount, or how many characters, items or bytes"),
  expected: z.string().describe("The JSON type that is taken"),
  allowed: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])).describe("All that is taken here"),
  held: z.int().describe("How many units orders hold that are not sent yet"),
  permission: z.string().describe("The permission that the API key lacks"),
  denied_reason: z.string().describe("Why the file may not be downloaded, as `denied_reason` of a file"),
  order_number: z.string().describe("The order that was placed before"),
  oldest_id: z.int(),
  subtotal: z.number().describe("What the lines cost now"),
  discount_total: z.number(),
  shipping_total: z.number(),
  tax_total: z.number(),
  total: z.number().describe("What the order costs now"),
};

/** The codes that a fact goes with. */
const codesWith = (fact: string): string[] =>
  Object.entries(detailMembers).flatMap(([code, names]) => (names.some((name) => name === fact) ? [code] : []));

const withCodes = Object.entries(facts).map(([name, schema]): [string, z.ZodType] => {
  const codes = codesWith(name).map((code) => `\`${code}\``);
  return [name, schema.optional().describe(`${schema.description}. With ${codes.join(", ")}`)];
});

const Detail = z
  .object({
    field: z.string().describe("A dotted path such as `items.0.price`, a header, or `body` for the whole"),
    code: DetailCode,
    ...Object.fromEntries(withCodes),
  })
  .meta({ id: "ErrorDetail", description: "What is wrong with one field, for programs" });

/** The body of every refusal. */
export const Failure = z
  .object({
    status: z.literal("error"),
    message: z.string().describe("What happened, for people"),
    code: Code,
    errors: z
      .record(z.string(), z.array(z.string()))
      .describe("Sentences for people, by the field that they are about, such as `items.0.price`"),
    details: z.array(Detail).describe("The fields of `errors`, for programs"),
  })
  .meta({
    id: "Error",
    description:
      "Every refusal. `code` is that of its details where all have one in common that says why, else `validation_failed`",
  });
