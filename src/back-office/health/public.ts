export { type Background, readBackground } from "./background.ts";
