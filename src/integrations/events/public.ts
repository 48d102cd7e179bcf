export { EVENT_RETENTION_MS, type EventRow, readEvents } from "./queries.ts";
export { readableTypes, requireReadable } from "./readable.ts";
export { toEvent } from "./schemas.ts";
