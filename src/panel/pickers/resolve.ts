import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { type Kind, kindsReadBy, readFound, SearchQuery, search } from "../../back-office/search/search.ts";
import { ApiError, badRequest, type FieldError, type FieldErrors, fieldError } from "../../domain/errors.ts";
import { fieldsByName } from "../../platform/http/body-parsing.ts";
import type { FormInput, FormInputs, FormState } from "../forms/inputs.ts";
import type { Values } from "../forms/kinds.ts";
import { type SentForm, sentForm } from "../forms/read-form.ts";
import type { PanelEnv } from "../page.tsx";
import {
  type Picker,
  type PickerOption,
  type PickerState,
  readValue,
  searchedKinds,
  textsOf,
  toFound,
  typedField,
} from "./picker.ts";

/** Maximum number of records looked up together. */
const MOST = 20;

/** An e-mail address belongs to one account. Others may match by name, and the user chooses among them. */
const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);

/** Matches of a text: a single record if it is the only match, or the only exact one. */
async function matching(
  c: Context<PanelEnv>,
  picker: Picker,
  kinds: readonly Kind[],
  text: string,
): Promise<PickerOption[]> {
  const { caller, db } = c.var;
  if (kinds.length === 0) return /^\d{1,15}$/.test(text) ? [byNumber(text)] : [];
  const { data } = SearchQuery.safeParse({ q: text });
  const readable = kindsReadBy(caller).filter((kind) => kinds.includes(kind));
  if (data?.q === undefined || readable.length === 0) return [];
  const groups = await search(db, data.q, readable, caller, picker.sellable);
  const all = groups.flatMap(({ kind, results }) => results.map((result) => ({ kind, result })));
  const found = all.filter(({ kind, result }) => result.exact || kind !== "user" || !isAddress(text));
  const exact = found.filter(({ result }) => result.exact);
  return (exact.length > 0 ? exact : found).map(({ kind, result }) => toFound(picker, kind, result));
}

/** Records not found by name, or deleted ones, are shown as sent. */
const byNumber = (value: string): PickerOption => ({
  value,
  label: /^\d+$/.test(value) ? `#${value}` : value,
  detail: null,
  image: null,
});

/** `isLeft` if the text was not looked up because there were too many. */
type Lookup = { text: string; matches: PickerOption[]; isLeft?: boolean };

async function lookUp(c: Context<PanelEnv>, picker: Picker, values: Values): Promise<Lookup[]> {
  const kinds = searchedKinds(picker, values);
  const texts = textsOf(picker, values);
  const left = texts.slice(MOST).join(", ");
  const sought = await Promise.all(
    texts.slice(0, MOST).map(async (text) => ({ text, matches: await matching(c, picker, kinds, text) })),
  );
  return left === "" ? sought : [...sought, { text: left, matches: [], isLeft: true }];
}

const only = ({ matches: [match, ...others] }: Lookup): PickerOption[] => (match && others.length === 0 ? [match] : []);

function refusalOf(picker: Picker, { text, matches, isLeft }: Lookup): FieldError[] {
  if (matches.length === 1) return [];
  if (isLeft)
    return [
      fieldError(picker.name, "too_big", `only ${MOST} can be searched for at a time. Send the rest again`, {
        limit: MOST,
      }),
    ];
  const words = matches.length === 0 ? `no results for “${text}”` : `“${text}” matches several. Choose one`;
  return [fieldError(picker.name, "unknown_reference", words)];
}

/** Form values with typed names replaced by ids. A 400 if a name is unknown or ambiguous. */
async function resolvePicks(c: Context<PanelEnv>, values: Values, pickers: readonly Picker[]): Promise<Values> {
  const errors: FieldError[] = [];
  const resolved: Record<string, readonly string[]> = { ...values };
  for (const picker of pickers) {
    const { name, many } = picker;
    const sought = await lookUp(c, picker, values);
    errors.push(...sought.flatMap((each) => refusalOf(picker, each)));
    const found = sought.flatMap(only).map(({ value }) => value);
    const kept = many || sought.length === 0 ? (values[name] ?? []) : [];
    const chosen = [...new Set([...kept, ...found])];
    delete resolved[typedField(name)];
    if (chosen.length > 0 || name in values) resolved[name] = chosen;
    Object.assign(resolved, ofOneKind(picker, chosen, values));
  }
  if (errors.length > 0) throw badRequest(errors);
  return resolved;
}

/** Splits `order:7` into two fields, one of which contains the kind. Records of another kind are dropped. */
function ofOneKind({ name, kindField }: Picker, [value]: string[], values: Values): Values {
  const [, kind, id] = /^(\w+):(\d+)$/.exec(value ?? "") ?? [];
  if (!kindField || !kind || !id) return {};
  const chosen = values[kindField]?.[0];
  return chosen && chosen !== kind ? { [name]: [] } : { [kindField]: [kind], [name]: [id] };
}

const pickersOf = (inputs: FormInputs<never>): Picker[] =>
  Object.entries<FormInput>(inputs).flatMap(([name, input]) => (input.as === "picker" ? [{ ...input, name }] : []));

/** A sent form with typed names replaced by ids. */
export const chosenIn = async (
  c: Context<PanelEnv>,
  { action, values }: SentForm,
  inputs: FormInputs<never>,
): Promise<SentForm> => sentForm(action, await resolvePicks(c, values, pickersOf(inputs)));

/** The form with its picker states, and the reasons why typed names are not chosen. */
export async function withPicks<Name extends string>(
  c: Context<PanelEnv>,
  form: FormState<Name>,
): Promise<FormState<Name>> {
  const { inputs, values } = form;
  const pickers = pickersOf(inputs);
  const sought = await Promise.all(pickers.map((picker) => lookUp(c, picker, values)));
  const known = await readChosen(c, values, pickers);
  const picks = new Map<string, PickerState>();
  const errors: FieldErrors = { ...form.errors };
  for (const [at, picker] of pickers.entries()) {
    const { name, many } = picker;
    const own = sought[at] ?? [];
    const found = own.flatMap(only);
    const held = (values[name] ?? []).filter(Boolean).map((value) => known(picker, value));
    const chosen = many || found.length === 0 ? [...held, ...found] : found;
    const isChosen = ({ value }: PickerOption) => chosen.some((pick) => pick.value === value);
    const matches = own.flatMap((each) => each.matches).filter((match) => !isChosen(match));
    const text = own.flatMap((each) => (each.matches.length === 0 ? [each.text] : [])).join(", ");
    picks.set(name, { picker, chosen, matches, text });
    const refusals = own.flatMap((each) => refusalOf(picker, each));
    if (refusals.length > 0) errors[name] = refusals.map(({ message }) => message);
  }
  if (Object.keys(errors).length > 0) c.status(400);
  return { ...form, picks, errors };
}

/** Reads the labels of the fields' values in one round trip. */
async function readChosen(c: Context<PanelEnv>, values: Values, pickers: readonly Picker[]) {
  const { caller, db } = c.var;
  const held = pickers.flatMap((picker) =>
    (values[picker.name] ?? []).flatMap((value) => readValue(picker, value, values) ?? []),
  );
  const wanted = kindsReadBy(caller).flatMap((kind): [Kind, number[]][] => {
    const ids = held.filter((each) => each.kind === kind).map(({ id }) => id);
    return ids.length === 0 ? [] : [[kind, ids]];
  });
  const groups = wanted.length === 0 ? [] : await readFound(db, wanted, caller);
  const names = new Map(
    groups.flatMap(({ kind, results }) => results.map((row) => [`${kind}:${row.id}`, row] as const)),
  );
  return (picker: Picker, value: string): PickerOption => {
    const thing = readValue(picker, value, values);
    const row = thing && names.get(`${thing.kind}:${thing.id}`);
    if (thing && row) return toFound(picker, thing.kind, row);
    return byNumber(value);
  };
}

const queryOf = (values: Values): string =>
  new URLSearchParams(Object.entries(values).flatMap(([name, each]) => each.map((value) => [name, value]))).toString();

/**
 * Looks up typed names in a list's filters and redirects to the URL with their ids. Unknown or ambiguous names are left
 * to the page.
 */
export const resolvingPickers = (filters: FormInputs<never>) =>
  createMiddleware<PanelEnv>(async (c, next) => {
    const { searchParams } = new URL(c.req.url);
    const values = fieldsByName([...searchParams].filter(([, value]) => value.trim() !== ""));
    try {
      const query = queryOf(await resolvePicks(c, values, pickersOf(filters)));
      if (query !== queryOf(values)) return c.redirect(`${c.req.path}?${query}`, 303);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
    return next();
  });
