import { Id } from "../../domain/fields.ts";

/** Characters that a row of a file may have. */
export const MAX_ROW_CHARACTERS = 256 * 1024;

export const MAX_COLUMNS = 1_000;

export const MAX_ROWS = 500_000;

/** The greatest id that a row may bring: those of all later rows are greater, and have to stay exact numbers in JSON. */
const MAX_ID = 2 ** 52;

export const ImportedId = Id.max(MAX_ID);

/** How long the upload and what was read of it are kept. */
export const KEPT_MS = 7 * 24 * 60 * 60_000;
