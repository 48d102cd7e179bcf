import type * as z from "zod";

/** A row of a list: "2 × Satchel", what is to be known of it, and what it comes to or how many are left. */
export type Line = { text: string; detail?: string; amount?: string };

/**
 * A part of an e-mail, from which both its HTML and its plain text are written: a paragraph, a link, a list of facts, or
 * lines with what they add up to. A link leads to the template's page unless it names an address.
 */
export type Block =
  | string
  | { link: string; to?: string }
  | { facts: Record<string, string> }
  | { lines: Line[]; totals?: Line[] };

/** What every e-mail knows: the shop's name, its reader's, and the addresses of its pages where they are set. */
export type Letter = {
  shop: string;
  name: string | null;
  /** The shop's page of an order. */
  orderUrl: (number: string) => string | null;
  /** A page of the panel. */
  panelUrl: (path: string) => string | null;
};

export type Content = { subject: string; blocks: Block[] };

/** The page that the link of an e-mail leads to, below /account. */
type LinkedPage = "reset" | "verify" | "confirm" | "revert";

type Template<Shape extends z.ZodType> = {
  /** Where its link leads, with the token; null where it has none. */
  page: LinkedPage | null;
  /** What the batch that causes it says, beside whom it goes to. */
  params: Shape;
  /** Parameters for the preview. */
  sample: z.input<Shape>;
  content: (letter: Letter, params: z.output<Shape>) => Content;
};

/** Declares an e-mail. Its parameters are stored as JSON and read by their schema again before it is written. */
export const template = <Shape extends z.ZodType>({ params, content, ...others }: Template<Shape>) => ({
  ...others,
  params,
  write: (letter: Letter, stored: unknown): Content => content(letter, params.parse(stored)),
});

/** A link, where its address is known. */
export const linkTo = (link: string, to: string | null): Block[] => (to === null ? [] : [{ link, to }]);
