import { type Kind, type SearchGroup, searchKinds } from "../../back-office/search/schemas.ts";
import type { Values } from "../forms/values.ts";

/** A field that takes things by what people call them, and holds their ids. */
export type Picker = {
  name: string;
  kinds: readonly Kind[];
  /** Whether several can be chosen. */
  many?: boolean;
  /** Whether it holds references such as `user:7`, since its things are of several kinds. */
  references?: boolean;
  /** The field that says of which kind its thing is, where one can choose that too. */
  kindField?: string;
};

/** Something to choose: `value` is what its field holds. */
export type Choice = { value: string; label: string; detail: string | null; image: string | null };

/** What a picker shows: what is chosen, what may be meant by what was typed, and what was typed and not found. */
export type PickerState = { picker: Picker; chosen: Choice[]; matches: Choice[]; text: string };

/** By the name of the field. */
export type PickerStates = ReadonlyMap<string, PickerState>;

const TYPED = "find.";

/** The field into which people type what they look for, beside the one that holds what was chosen. */
export const typedField = (name: string): string => `${TYPED}${name}`;

export const isTyped = (name: string): boolean => name.startsWith(TYPED);

const isKind = (kind: string): kind is Kind => searchKinds.some((each) => each === kind);

/** The kinds to look among; none, if what was chosen is not found by name. */
export function kindsOf({ kindField, kinds: all }: Picker, values: Values): readonly Kind[] {
  const chosen = kindField && values[kindField]?.[0];
  if (!chosen) return all;
  return isKind(chosen) ? [chosen] : [];
}

/** Parts of what was typed, each of which is looked for. */
export function textsOf({ name, many }: Picker, values: Values): string[] {
  const typed = values[typedField(name)]?.[0] ?? "";
  return (many ? typed.split(/[,;\n]/) : [typed]).map((text) => text.trim()).filter(Boolean);
}

export const isReference = ({ references, kindField }: Picker): boolean => Boolean(references || kindField);

export function toChoice(picker: Picker, kind: Kind, { id, ...result }: SearchGroup["results"][number]): Choice {
  const { label, detail, image } = result;
  return { value: isReference(picker) ? `${kind}:${id}` : String(id), label, detail, image };
}

/** Kind and id of what a field holds; null of what is no thing, such as `system`. */
export function readValue(picker: Picker, value: string, values: Values): { kind: Kind; id: number } | null {
  const [, named, id = ""] = /^(?:(\w+):)?(\d{1,15})$/.exec(value) ?? [];
  const [only, ...others] = kindsOf(picker, values);
  const kind = named ?? (others.length === 0 ? only : undefined);
  return kind !== undefined && isKind(kind) && id !== "" ? { kind, id: Number(id) } : null;
}
