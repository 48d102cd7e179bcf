export { readHealth } from "./deliveries.ts";
