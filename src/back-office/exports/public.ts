export { streamed } from "./stream.ts";
