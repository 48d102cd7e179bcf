export { readHealth } from "./deliveries.ts";
export { nudge } from "./nudge.ts";
