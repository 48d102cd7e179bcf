import { wrongCaller } from "../../domain/errors.ts";
import { type EventType, eventTypeNames, eventTypes } from "../../domain/event-types.ts";
import { type Caller, isAdministrator, may, requirePermission } from "../../platform/auth/caller.ts";

/** Of the types that are asked for, or of all, those whose resource the caller may read. */
export const readableTypes = (caller: Caller, asked: readonly EventType[] = eventTypeNames): EventType[] =>
  asked.filter((type) => mayRead(caller, type));

function mayRead(caller: Caller, type: EventType): boolean {
  const resource = eventTypes[type];
  return resource === null ? isAdministrator(caller) : may(caller, `${resource}:read`);
}

/** Refuses types that the caller may not read. */
export function requireReadable(caller: Caller, types: readonly EventType[]): void {
  const type = types.find((each) => !mayRead(caller, each));
  if (type === undefined) return;
  const resource = eventTypes[type];
  if (resource !== null) requirePermission(caller, `${resource}:read`);
  throw wrongCaller("administrators_only", `Events of the type ${type} are for administrators`);
}
