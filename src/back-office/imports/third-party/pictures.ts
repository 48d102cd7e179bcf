/** A picture by its address. */
export type Picture = { url: string; alt: string };
