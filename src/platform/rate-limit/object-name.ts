import { logFault } from "../http/log.ts";

/**
 * The name by which an object is reached. The platform does not know it for an object reached by its id, and before March
 * 2026 did not know it in an alarm (developers.cloudflare.com/durable-objects/api/id#name). Such an object must not answer:
 * it would act for an object called "".
 */
export function nameOf({ id }: Pick<DurableObjectState, "id">): string {
  if (id.name) return id.name;
  const error = new Error("The object was not reached by its name");
  logFault("rate limiter without a name", error, { object: id.toString() });
  throw error;
}
