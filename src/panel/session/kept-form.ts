import * as z from "zod";
import type { Values } from "../forms/values.ts";

// A form that comes when the session has ended waits in the sign-in page, as one field of it, until it is shown again.

export const keptField = "kept_form";

/** What was typed, but no password: those are never sent to a page. */
export const keep = (values: Values): string =>
  JSON.stringify(Object.fromEntries(Object.entries(values).filter(([name]) => !name.includes("password"))));

const Kept = z.record(z.string(), z.array(z.string()));

/** The form that a sign-in page kept; null of any other form. */
export function keptIn(sent: Values): Values | null {
  const [kept] = sent[keptField] ?? [];
  if (kept === undefined) return null;
  try {
    return Kept.parse(JSON.parse(kept));
  } catch {
    return {};
  }
}
