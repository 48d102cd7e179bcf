import { type Kind, type SearchGroup, searchKinds } from "../../back-office/search/search.ts";
import type { Values } from "../forms/kinds.ts";

/** A field that finds records by name and contains their ids. */
export type Picker = {
  name: string;
  kinds: readonly Kind[];
  /** True if several can be chosen. */
  many?: boolean;
  /** True if it takes what is sold: instead of a product with variants, one of these. */
  sellable?: boolean;
  /** True if it contains references such as `user:7`, because its records are of several kinds. */
  references?: boolean;
  /** The field with the kind, if the kind can be chosen. */
  kindField?: string;
};

/** A choice. `value` is the field's value. */
export type PickerOption = { value: string; label: string; detail: string | null; image: string | null };

/** State of a picker: the chosen records, matches for the typed text, and text without a match. */
export type PickerState = { picker: Picker; chosen: PickerOption[]; matches: PickerOption[]; text: string };

/** By field name. */
export type PickerStates = ReadonlyMap<string, PickerState>;

const TYPED = "find.";

/** Name of the search field next to the field with the chosen ids. */
export const typedField = (name: string): string => `${TYPED}${name}`;

export const isTyped = (name: string): boolean => name.startsWith(TYPED);

const isKind = (kind: string): kind is Kind => searchKinds.some((each) => each === kind);

/** Kinds to search. Empty if the chosen kind is not found by name. */
export function searchedKinds({ kindField, kinds: all }: Picker, values: Values): readonly Kind[] {
  const chosen = kindField && values[kindField]?.[0];
  if (!chosen) return all;
  return isKind(chosen) ? [chosen] : [];
}

/** Parts of the typed text, each looked up separately. */
export function textsOf({ name, many }: Picker, values: Values): string[] {
  const typed = values[typedField(name)]?.[0] ?? "";
  return (many ? typed.split(/[,;\n]/) : [typed]).map((text) => text.trim()).filter(Boolean);
}

type ReferencePicker = Pick<Picker, "references" | "kindField">;

export const isReference = ({ references, kindField }: ReferencePicker): boolean => Boolean(references || kindField);

export function toFound(
  picker: ReferencePicker,
  kind: Kind,
  { id, ...result }: SearchGroup["results"][number],
): PickerOption {
  const { label, detail, image } = result;
  return { value: isReference(picker) ? `${kind}:${id}` : String(id), label, detail, image };
}

/** Kind and id of a field's value. Null for a value without a record, such as `system`. */
export function readValue(picker: Picker, value: string, values: Values): { kind: Kind; id: number } | null {
  const [, named, id = ""] = /^(?:(\w+):)?(\d{1,15})$/.exec(value) ?? [];
  const [only, ...others] = searchedKinds(picker, values);
  const kind = named ?? (others.length === 0 ? only : undefined);
  return kind !== undefined && isKind(kind) && id !== "" ? { kind, id: Number(id) } : null;
}
