import type * as z from "zod";
import type { LinkedOrder } from "../auth/order-link.ts";
import type { Sentence, Variables, writerIn } from "./messages.ts";

/** A row of a list, such as "2 × Satchel", with details, an amount or quantity, and the address of a picture. */
export type EmailLine = { text: string; detail?: string; amount?: string; image?: string | null };

/**
 * A block of an e-mail, rendered as HTML and as plain text: a paragraph, a link, a list of facts, lines with totals, or a page. A
 * link without an address leads to the template's page.
 */
export type Block =
  | string
  | { link: string; to?: string }
  | { facts: Record<string, string> }
  | { lines: EmailLine[]; totals?: EmailLine[] }
  | { title: string; markdown: string };

/** Context of every e-mail: the reader's language, names of the shop and the reader, and page addresses if configured. */
export type Letter = ReturnType<typeof writerIn> & {
  shop: string;
  name: string | null;
  /** How buyers reach the shop. Empty if not set. */
  contact: string;
  /** Address of the page of an order. A guest's has a token. */
  orderUrl: (order: LinkedOrder & { isGuest: boolean }) => string | null;
  /** Address of the page with the invoices of an order: a guest's on the Worker, which asks for a part of the address. */
  invoicesUrl: (order: LinkedOrder & { isGuest: boolean }) => string | null;
  /** Address of the page to withdraw from an order. */
  withdrawalUrl: (order: LinkedOrder & { number: string; isGuest: boolean }) => string | null;
  /** Address of a page of the panel. */
  panelUrl: (path: string) => string | null;
  /** Absolute address of an image. Null for an uploaded one until the Worker's own address is set. */
  imageUrl: (url: string) => string | null;
};

/** An e-mail to staff, in English. */
type Notice = { subject: string; blocks: Block[] };

/** An e-mail to buyers. The values of its variables include the shop's name. */
type TranslatedContent = { subject: Sentence; introduction: Sentence; variables?: Variables; blocks: Block[] };

export type EmailContent = Notice | TranslatedContent;

/** Page of the e-mail's link, below /account. */
type LinkedPage = "reset" | "verify" | "confirm" | "revert" | "invitation" | "draft";

type Template<Shape extends z.ZodType> = {
  /** Page of the link. Null if there is no link. */
  page: LinkedPage | null;
  /** Parameters from the batch that causes the e-mail. */
  params: Shape;
  /** Parameters for the preview. */
  sample: z.input<Shape>;
  content: (letter: Letter, params: z.output<Shape>) => EmailContent;
};

/** Declares an e-mail. Its parameters are stored as JSON and parsed by their schema before rendering. */
export const template = <Shape extends z.ZodType>({ params, content, ...others }: Template<Shape>) => ({
  ...others,
  params,
  write: (letter: Letter, stored: unknown): EmailContent => content(letter, params.parse(stored)),
});

/** A link, if its address is configured. */
export const linkTo = (link: string, to: string | null): Block[] => (to === null ? [] : [{ link, to }]);
