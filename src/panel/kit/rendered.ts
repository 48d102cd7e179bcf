import { raw } from "hono/html";

/** A part of a page that has to be rendered before the part that stands above it. */
export const rendered = async (element: { toString(): string | Promise<string> }) => raw(await element.toString());
