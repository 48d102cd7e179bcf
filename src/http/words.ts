import * as z from "zod";

// zod's own messages speak to programmers. What a schema says itself goes before these.
z.config({ customError: sentence });

type FieldWords = { field: string; words: string };

/** What is wrong, and with which field: a dotted path, `body` for the whole. An unknown field is named itself. */
export function wordsOf(issue: z.core.$ZodIssue): FieldWords[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ field: [...path, key].join("."), words: "is not a known field" }));
  }
  return [{ field: path.join(".") || "body", words: issue.message }];
}

function sentence(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return "is required";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${articles[issue.expected] ?? issue.expected}`;
    case "too_small":
      return `must ${bound(issue.origin)} at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`;
    case "too_big":
      return `must ${bound(issue.origin)} at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`;
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    case "invalid_format":
      return issue.format === "email" ? "must be an e-mail address" : "has the wrong format";
    default:
      return undefined;
  }
}

const articles: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "an array",
};

const bound = (origin: string): string => (origin === "string" || origin === "array" ? "have" : "be");

function unit(origin: string, count: number | bigint): string {
  const noun = { string: " character", array: " item" }[origin];
  if (noun === undefined) return "";
  return Number(count) === 1 ? noun : `${noun}s`;
}
