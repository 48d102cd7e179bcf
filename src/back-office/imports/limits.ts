import { Id } from "../../domain/fields.ts";

/** Maximum characters per row of a file. */
export const MAX_ROW_CHARACTERS = 256 * 1024;

export const MAX_COLUMNS = 1_000;

export const MAX_ROWS = 500_000;

/** Greatest id that a row may bring. Ids of later rows are greater and must remain exact integers in JSON. */
const MAX_ID = 2 ** 52;

export const ImportedId = Id.max(MAX_ID);

/** How long an upload and its parsed records are kept. */
export const KEPT_MS = 7 * 24 * 60 * 60_000;
