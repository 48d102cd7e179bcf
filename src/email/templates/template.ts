import type * as z from "zod";

/** A part of an e-mail, from which both its HTML and its plain text are written: a paragraph, a link, or a list of facts. */
export type Block = string | { link: string } | { facts: Record<string, string> };

/** What every e-mail knows: the shop's name, its reader's, and the address of its link where it has one. */
export type Letter = { shop: string; name: string | null };

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
