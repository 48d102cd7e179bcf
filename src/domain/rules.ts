import type * as z from "zod";

/** Codes that a schema's own rule may use. The default is `invalid`. */
const ruleCodes = [
  "required",
  "too_precise",
  "in_the_past",
  "nothing_to_change",
  "not_applicable",
  "too_common",
  "unknown_field",
  "invalid",
] as const;
type RuleCode = (typeof ruleCodes)[number];

/** An option of `refine` with the error code of the rule. */
export const coded = (code: RuleCode) => ({ params: { code } });

/** Arguments of `refine` that refuse a change without fields. */
export const changesSomething = [
  (change: object) => Object.keys(change).length > 0,
  { error: "must change something", ...coded("nothing_to_change") },
] as const;

export const ruleOf = ({ params }: z.core.$ZodIssueCustom): RuleCode =>
  ruleCodes.find((code) => code === params?.code) ?? "invalid";
