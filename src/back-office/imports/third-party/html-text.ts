import { decodeHTMLStrict } from "entities/decode";

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const BLANKS = /[\x00-\x09\x0b-\x20\x7f-\xa0]+/g;

/** Spaces and control characters of a line as one space each, and none at its ends. */
export const collapsed = (line: string): string => line.replaceAll(BLANKS, " ").trim();

/** A line of text as another program writes it: entities are decoded, each once, and control characters become spaces. */
export const lineOfText = (cell: string): string => collapsed(decodedText(cell).replaceAll("\n", " "));

/** Text without entities. Soft hyphens are of use to browsers alone. */
export const decodedText = (html: string): string => decodeHTMLStrict(html).replaceAll("\u00ad", "");
