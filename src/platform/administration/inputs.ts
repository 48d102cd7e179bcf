/** Input of a field in the panel's form: label, hint and control. */
export type Input = { label: string; hint?: string } & (
  | { as: "text"; maxlength?: number }
  | { as: "lines"; rows: number }
  | { as: "country" | "flag" | "money" | "number" | "percent" }
  | { as: "choice"; options: Readonly<Record<string, string>> }
);
