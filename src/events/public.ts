export { EVENT_RETENTION_MS, type EventRow, readEvents } from "./queries.ts";
export { readableTypes } from "./readable.ts";
export { toEvent } from "./schemas.ts";
