import type { Block } from "./templates/template.ts";

/** A part whose link names its address. */
export type Part = Exclude<Block, { link: string }> | { link: string; to: string };

/** A link that names no address leads to the page of the template. */
export function withAddress(block: Block, page: string | null): Part {
  if (typeof block === "string" || !("link" in block)) return block;
  const to = block.to ?? page;
  if (to === null) throw new Error(`The link "${block.link}" leads nowhere`);
  return { link: block.link, to };
}
