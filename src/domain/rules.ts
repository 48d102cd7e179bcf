import type * as z from "zod";

/** Codes that a schema's own rule may have; without one it is `invalid`. */
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

/** An option of `refine`: the error code when the rule is broken. */
export const coded = (code: RuleCode) => ({ params: { code } });

/** Arguments of `refine` that refuse a change without any field. */
export const changesSomething = [
  (change: object) => Object.keys(change).length > 0,
  { error: "must change something", ...coded("nothing_to_change") },
] as const;

export const ruleOf = ({ params }: z.core.$ZodIssueCustom): RuleCode =>
  ruleCodes.find((code) => code === params?.code) ?? "invalid";
