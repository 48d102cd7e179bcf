import { type Caller, isAdministrator, may } from "../auth/caller.ts";
import { type EventType, eventTypeNames, eventTypes } from "../domain/event-types.ts";

/** Of the types that are asked for, or of all, those whose resource the caller may read. */
export const readableTypes = (caller: Caller, asked: readonly EventType[] = eventTypeNames): EventType[] =>
  asked.filter((type) => mayRead(caller, type));

function mayRead(caller: Caller, type: EventType): boolean {
  const resource = eventTypes[type];
  return resource === null ? isAdministrator(caller) : may(caller, `${resource}:read`);
}
