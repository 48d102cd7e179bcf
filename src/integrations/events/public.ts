export {
  EVENT_RETENTION_MS,
  type EventRow,
  mayReadWith,
  readableTypes,
  readEvents,
  requireReadable,
} from "./events.ts";
export { toEvent } from "./schemas.ts";
