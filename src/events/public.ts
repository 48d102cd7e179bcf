export { type EventRow, readEvents } from "./queries.ts";
export { toEvent } from "./schemas.ts";
