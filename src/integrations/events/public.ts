export { EVENT_RETENTION_MS, type EventRow, readableTypes, readEvents, requireReadable } from "./events.ts";
export { toEvent } from "./schemas.ts";
