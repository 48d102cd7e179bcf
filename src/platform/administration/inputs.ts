/** A field's input in the panel's form: its label, its hint, and how its value is typed or chosen. */
export type Input = { label: string; hint?: string } & (
  | { as: "text"; maxlength?: number }
  | { as: "lines"; rows: number }
  | { as: "country" | "flag" | "money" | "number" | "percent" }
  | { as: "choice"; options: Readonly<Record<string, string>> }
);
