import { raw } from "hono/html";

/** Renders a part of a page before the part above it. */
export const rendered = async (element: { toString(): string | Promise<string> }) => raw(await element.toString());
