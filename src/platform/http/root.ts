import type { Context } from "hono";
import { accepts } from "hono/accepts";
import * as z from "zod";

/** Addresses of the API and its documents. */
export const RootLinks = z.object({
  documentation: z.url(),
  openapi: z.url(),
  api: z.url(),
  administration: z.url(),
  administration_mcp: z.url(),
  panel: z.url(),
  public_keys: z.url(),
  health: z.url(),
});

export const addressesAt = (origin: string): z.output<typeof RootLinks> => ({
  documentation: `${origin}/docs`,
  openapi: `${origin}/openapi.json`,
  api: `${origin}/api/v1/user`,
  administration: `${origin}/api/v1/admin`,
  administration_mcp: `${origin}/mcp/admin`,
  panel: `${origin}/admin`,
  public_keys: `${origin}/.well-known/jwks.json`,
  health: `${origin}/health`,
});

/** Browsers name text/html in Accept; programs accept anything. */
export const prefersHtml = (c: Context): boolean =>
  accepts(c, { header: "Accept", supports: ["text/html", "application/json"], default: "application/json" }) ===
  "text/html";
