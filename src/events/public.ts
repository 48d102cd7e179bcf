export { type EventRow, readEvents } from "./queries.ts";
export { readableTypes } from "./readable.ts";
export { toEvent } from "./schemas.ts";
