export { type Background, readBackground } from "./queues.ts";
