import * as z from "zod";
import type { IfMatch } from "../../platform/http/version.ts";
import { type FieldKind, hasSameValues, type Values } from "./kinds.ts";

// Concurrent edits of one record: a form carries the version and values with which it was opened. Only changed fields
// are saved. If somebody else saved first, the form is refused until the user decides.

/** The record that a form edits. */
export type Edit = {
  /** Version at which the form was opened. */
  etag: string;
  /** Field values in that version. */
  seen: Values;
  /** Current values, if someone else saved them since. */
  conflict: Conflict | null;
};

export type Conflict = { etag: string; differences: Difference[] };

/** A field that changed. `isMine`: the user changed it too, so that overwriting loses the other change. */
export type Difference = { name: string; theirs: readonly string[]; yours: readonly string[]; isMine: boolean };

export const seenField = "seen";
export const versionField = "if_match";
/** Name of the button that overwrites, with the version to replace as value. */
export const overwriteField = "overwrite";

const SeenValues = z.record(z.string(), z.array(z.string()));

/** Values with which the form was opened. Null if they were not sent. */
function seenIn(sent: Values): Values | null {
  try {
    return SeenValues.parse(JSON.parse(sent[seenField]?.[0] ?? ""));
  } catch {
    return null;
  }
}

const etagIn = (sent: Values): string | undefined => sent[overwriteField]?.[0] ?? sent[versionField]?.[0];

/** The version to replace, as an If-Match header. */
export const ifMatchOf = (sent: Values): IfMatch => ({ "if-match": etagIn(sent) });

/** Names of the fields that were changed in the form. */
export function changedIn(sent: Values, names: readonly string[]): readonly string[] {
  const seen = seenIn(sent);
  return seen === null ? names : names.filter((name) => !hasSameValues(sent[name], seen[name]));
}

/** Kinds of the fields changed in the form. Parts of one field, such as an address, change together. */
export function dirtyKinds(kinds: Record<string, FieldKind>, sent: Values): Record<string, FieldKind> {
  const rootOf = (name: string) => name.split(".")[0];
  const roots = new Set(changedIn(sent, Object.keys(kinds)).map(rootOf));
  return Object.fromEntries(Object.entries(kinds).filter(([name]) => roots.has(rootOf(name))));
}

/**
 * The form after a conflict with the saved values `current`: changed fields keep their input, and others show the saved
 * value.
 */
export function editAfter(sent: Values, current: Values, etag: string): { values: Values; edit: Edit } {
  const known = etagIn(sent);
  if (known === undefined || known === etag) return { values: sent, edit: { etag, seen: current, conflict: null } };
  const seen = seenIn(sent);
  const differences = Object.entries(current).flatMap(([name, theirs]): Difference[] => {
    const yours = sent[name] ?? [];
    if (hasSameValues(theirs, yours)) return [];
    return [{ name, theirs, yours, isMine: seen === null || !hasSameValues(yours, seen[name]) }];
  });
  const clean = differences.filter(({ isMine }) => !isMine).map(({ name, theirs }) => [name, theirs]);
  const values = { ...sent, ...Object.fromEntries(clean) };
  return { values, edit: { etag: known, seen: current, conflict: { etag, differences } } };
}
