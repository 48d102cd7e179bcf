/** Choices in order, as values with labels. An object would sort ids first. */
export type Options = Iterable<readonly [value: string, label: string]>;

/** Input of a field in a form of the panel: label, hint and control. */
export type Input = { label: string; hint?: string | undefined } & (
  | {
      /** A single line. `moment` is a date and time in the shop's time zone. */
      as:
        | "text"
        | "search"
        | "email"
        | "tel"
        | "url"
        | "password"
        | "date"
        | "moment"
        | "money"
        | "number"
        | "percent"
        | "file";
      /** Characters beyond which the schema refuses. Browsers get no such attribute, because they cut what is pasted. */
      maxlength?: number;
      /** Shown behind the control. Amounts and percentages have one of their own. */
      unit?: string;
      autocomplete?: string;
      placeholder?: string;
      /** Values that browsers offer while somebody types. */
      suggestions?: readonly string[];
      /** True for the field that a page is opened to fill in. */
      autofocus?: boolean;
      /** Last day that can be chosen. */
      max?: string;
    }
  | {
      as: "lines";
      rows: number;
      maxlength?: number;
      /** True for a text in Markdown. A script adds buttons for formatting. */
      markdown?: boolean;
    }
  | { as: "country" | "flag" }
  | { as: "choice" | "choices"; options: Options }
);
