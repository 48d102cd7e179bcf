export { isDueForErasure } from "./erase-due.ts";
