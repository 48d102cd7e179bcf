export { FIRST_ROWS, limitAfter, streamed } from "./stream.ts";
