import { readFileSync } from "node:fs";
import type { OpenApi } from "./shape.ts";

/** The published document. */
export const document: OpenApi = JSON.parse(readFileSync("public/openapi.json", "utf8"));

/** The name of a reference's target. */
export const nameOf = (ref: string): string => ref.split("/").at(-1) ?? "";

/** Follows a reference to its component. */
export const resolve = <Part extends { $ref?: string }>(part: Part): Part =>
  part.$ref
    ? part.$ref
        .split("/")
        .slice(1)
        .reduce((at, name) => (at as Record<string, never>)[name] as never, document as unknown as Part)
    : part;
