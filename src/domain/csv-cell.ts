/**
 * What spreadsheets take for a formula: = + - @, also in full width and behind spaces or quotes. An apostrophe before it makes it
 * text; one that stands there already gets another, so that none is lost.
 */
const FORMULA = /'*(?:[^\S\t\r\n]|")*[=+\-@＝＋－＠]/.source;

/**
 * Where a cell begins: at its start, and behind what ends a cell or a row for a spreadsheet of another language, which splits at
 * semicolons or tabs and does not take our quotes for quotes. What begins with a control character counts as a formula as well.
 */
const BEGINNING = /(?<=^|[;\t\r\n])/.source;
const DANGEROUS = `(?:(?=${FORMULA})|(?<=^'?)(?='*[\\0\\t\\r\\n]))`;

const unsafe = new RegExp(`${BEGINNING}${DANGEROUS}`, "g");
const neutral = new RegExp(`${BEGINNING}'${DANGEROUS}`, "g");

/** A cell that no spreadsheet executes. Numbers stay as they are: -5 is one. */
export const neutralized = (cell: string): string => cell.replace(unsafe, "'");

/** What a neutralized cell was. */
export const unneutralized = (cell: string): string => cell.replace(neutral, "");
