/**
 * Beginnings that spreadsheets execute as a formula: = + - @, also full-width and after spaces or quotes. An apostrophe
 * before them makes the cell text; an existing apostrophe gets another one, so that none is lost.
 */
const FORMULA = /'*(?:[^\S\t\r\n]|")*[=+\-@＝＋－＠]/.source;

/**
 * Where a cell begins: at its start, and after a character that ends a cell or row for a spreadsheet in another language,
 * which splits at semicolons or tabs and ignores our quotes. A leading control character counts as a formula too.
 */
const BEGINNING = /(?<=^|[;\t\r\n])/.source;
const DANGEROUS = `(?:(?=${FORMULA})|(?<=^'?)(?='*[\\0\\t\\r\\n]))`;

const unsafe = new RegExp(`${BEGINNING}${DANGEROUS}`, "g");
const neutral = new RegExp(`${BEGINNING}'${DANGEROUS}`, "g");

/** A cell that no spreadsheet executes. Numbers such as -5 stay as they are. */
export const neutralized = (cell: string): string => cell.replace(unsafe, "'");

/** Restores a neutralized cell. */
export const unneutralized = (cell: string): string => cell.replace(neutral, "");
