import type * as z from "zod";
import { toFieldErrors } from "../../platform/http/error-messages.ts";
import type { JobFailure } from "../../platform/jobs/kind.ts";
import { problemOf } from "./reading/numbers.ts";

/** Returns the errors of a row by field. Unreadable numbers include the reason. */
export const failuresOf = (
  line: number,
  issues: readonly z.core.$ZodIssue[],
  input: Record<string, unknown>,
): JobFailure[] => {
  const problems = new Map(issues.flatMap((issue) => numberProblem(issue, input)));
  return toFieldErrors(issues, input).map(({ field, code, message }) => ({
    ...{ line, field, code, message },
    ...problems.get(field),
  }));
};

/** Returns why a field's text is not a valid number. */
function numberProblem(issue: z.core.$ZodIssue, input: Record<string, unknown>) {
  const field = String(issue.path[0]);
  const sent = issue.path.length === 1 && isNumberExpected(issue) ? input[field] : undefined;
  const problem = typeof sent === "string" ? problemOf(sent) : null;
  return problem ? [[field, problem] as const] : [];
}

const isNumberExpected = (issue: z.core.$ZodIssue): boolean =>
  issue.code === "invalid_type" && (issue.expected === "number" || issue.expected === "int");
