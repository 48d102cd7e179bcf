import * as z from "zod";
import type { IfMatch } from "../../platform/http/version.ts";
import type { FieldKind } from "./kinds.ts";
import { isSame, type Values } from "./values.ts";

// Two people edit the same thing. A form carries the version that it was opened with and the values that stood in it, so
// that it saves what was changed in it and nothing else, and is refused, until somebody decides, where another saved first.

/** What a form is an edit of. */
export type Edit = {
  /** The version that the form was opened with. */
  etag: string;
  /** What its fields held in that version. */
  seen: Values;
  /** The current values, if somebody else saved them since. */
  conflict: Conflict | null;
};

export type Conflict = { etag: string; differences: Difference[] };

/** A field that is not the same any more. `isMine`: whoever types changed it, so that overwriting takes theirs away. */
export type Difference = { name: string; theirs: readonly string[]; yours: readonly string[]; isMine: boolean };

export const seenField = "seen";
export const versionField = "if_match";
/** Named by the button that overwrites: the version that it may replace. */
export const overwriteField = "overwrite";

const Seen = z.record(z.string(), z.array(z.string()));

/** The values that the form was opened with; null of one that does not say. */
function seenIn(sent: Values): Values | null {
  try {
    return Seen.parse(JSON.parse(sent[seenField]?.[0] ?? ""));
  } catch {
    return null;
  }
}

const etagIn = (sent: Values): string | undefined => sent[overwriteField]?.[0] ?? sent[versionField]?.[0];

/** The version that may be replaced, as the API takes it. */
export const ifMatchOf = (sent: Values): IfMatch => ({ "if-match": etagIn(sent) });

/** The kinds of the dirty fields, which were changed in the form. Parts of one field, like an address's lines, are dirty together. */
export function dirtyKinds(kinds: Record<string, FieldKind>, sent: Values): Record<string, FieldKind> {
  const seen = seenIn(sent);
  if (seen === null) return kinds;
  const rootOf = (name: string) => name.split(".")[0];
  const dirty = Object.keys(kinds).filter((name) => !isSame(sent[name], seen[name]));
  const roots = new Set(dirty.map(rootOf));
  return Object.fromEntries(Object.entries(kinds).filter(([name]) => roots.has(rootOf(name))));
}

/**
 * The form as it stands after it was refused, where `current` is saved now: what was changed in it stays, and a clean
 * field shows what is saved.
 */
export function editAfter(sent: Values, current: Values, etag: string): { values: Values; edit: Edit } {
  const known = etagIn(sent);
  if (known === undefined || known === etag) return { values: sent, edit: { etag, seen: current, conflict: null } };
  const seen = seenIn(sent);
  const differences = Object.entries(current).flatMap(([name, theirs]): Difference[] => {
    const yours = sent[name] ?? [];
    if (isSame(theirs, yours)) return [];
    return [{ name, theirs, yours, isMine: seen === null || !isSame(yours, seen[name]) }];
  });
  const clean = differences.filter(({ isMine }) => !isMine).map(({ name, theirs }) => [name, theirs]);
  const values = { ...sent, ...Object.fromEntries(clean) };
  return { values, edit: { etag: known, seen: current, conflict: { etag, differences } } };
}
