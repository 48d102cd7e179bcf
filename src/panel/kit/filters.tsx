import { exportFormats } from "../../back-office/exports/stream.ts";
import type { SavedViewRow } from "../../back-office/saved-views/saved-views.ts";
import type { Options } from "../../platform/administration/fields.ts";
import { placeParameters } from "../../platform/http/pagination.ts";
import {
  errorsOf,
  type Failed,
  type FormInput,
  type FormInputs,
  type FormState,
  formFor,
  inShopDays,
} from "../forms/inputs.ts";
import { isTyped } from "../pickers/picker.ts";
import { type Need, useAllowed } from "./allowed.tsx";
import { Field } from "./fields.tsx";
import { Button, Form, LinkButton } from "./form.tsx";

type FilterBarProps<Name extends string> = {
  form: FormState<Name>;
  /** Label of the button of a form that waits for it. A list's filters apply when they change. */
  submit?: string;
};

/** Filters that few people need. */
const SELDOM: readonly string[] = ["sort", "low_stock", "brand"];

/**
 * Filters a list: a GET form in one row, so that results have a URL. Dates, numbers and rarely used filters are folded,
 * and on a phone all filters except the first. Browsers without script show a button.
 */
export const FilterBar = <Name extends string>({ form, submit }: FilterBarProps<Name>) => {
  const [first, ...others] = Object.keys(form.inputs) as Name[];
  const isSet = (name: Name) => form.values[name]?.some(Boolean) || errorsOf(form, name).length > 0;
  const isFolded = (name: Name) => ["date", "money", "number"].includes(form.inputs[name].as) || SELDOM.includes(name);
  const folded = others.filter(isFolded);
  const beside = { ...form, inputs: unlabelled(form) };
  const count = others.filter(isSet).length;
  return (
    <search>
      <form class="filters" action={form.action} data-auto={submit === undefined ? "" : undefined}>
        {first && <Field form={beside} name={first} />}
        {others.length > 0 && (
          <>
            <div class="beside">
              {others
                .filter((name) => !isFolded(name))
                .map((name) => (
                  <Field form={beside} name={name} />
                ))}
            </div>
            <details open={folded.some(isSet)}>
              <summary class="button quiet">
                <span>More filters</span>
                {count > 0 && <span class="count">{count}</span>}
              </summary>
              {folded.length > 0 && (
                <div class="rest">
                  {folded.map((name) => (
                    <Field form={form} name={name} />
                  ))}
                </div>
              )}
            </details>
          </>
        )}
        <button type="submit" class="button quiet">
          {submit ?? "Filter"}
        </button>
        {first && (isSet(first) || count > 0) && <LinkButton href={form.action}>Clear</LinkButton>}
      </form>
    </search>
  );
};

/** Inputs that show their label within. Only screen readers get a separate label. */
const unlabelled = <Name extends string>({ inputs, values }: FormState<Name>): FormInputs<Name> =>
  Object.fromEntries(
    Object.entries<FormInput>(inputs).map(([name, input]) => [name, withLabelInside(input, values[name]?.[0] ?? "")]),
  ) as FormInputs<Name>;

function withLabelInside(input: FormInput, chosen: string): FormInput {
  if (input.as !== "choice") return { ...input, placeholder: input.label } as FormInput;
  const options = [...input.options].map(
    ([value, label]) => [value, value === "" || value === chosen ? `${input.label}: ${label}` : label] as const,
  );
  return { ...input, options };
}

/** A filter with some values, after an empty choice for all of them. */
export const choiceFilter = (label: string, options: Options, all = "All") =>
  ({ as: "choice", label, options: [["", all], ...options] }) satisfies FormInput;

/** Values as their own labels, with spaces. */
export const ownLabels = (values: readonly string[]): Options =>
  labelled(values, (value) => value.replaceAll("_", " "));

/** Values with labels. */
export const labelled = <Value extends string>(values: readonly Value[], labelOf: (value: Value) => string): Options =>
  values.map((value) => [value, labelOf(value)] as const);

/** Filters from one day to another. */
export const dayFilters = {
  from: { as: "date", label: "From" },
  to: { as: "date", label: "To" },
} satisfies FormInputs;

/** Filters by date: preset periods, or from one day to another. */
export const dateFilters = (label: string) =>
  ({
    days: choiceFilter(
      label,
      [
        ["1", "Today"],
        ["7", "Last 7 days"],
        ["30", "Last 30 days"],
        ["90", "Last 90 days"],
      ],
      "Any time",
    ),
    ...dayFilters,
  }) satisfies FormInputs;

/** The viewer's saved views of a list, after those that everybody has. */
export type Views = {
  list: SavedViewRow["list"];
  saved: SavedViewRow[];
  common?: readonly Pick<SavedViewRow, "name" | "filters">[];
};

/** The list's filters without the page. */
export const filtersOf = ({ values }: FormState): string[][] =>
  Object.entries(values).flatMap(([name, [value]]) =>
    value && !placeParameters.includes(name) && !isTyped(name) ? [[name, value]] : [],
  );

const filterText = (filters: string[][]): string => new URLSearchParams(filters.toSorted()).toString();

/** The filters as the API reads them. */
export const apiFilterText = (form: FormState): string =>
  filterText(Object.entries(inShopDays(form, Object.fromEntries(filtersOf(form)))));

/** Tabs for the whole list and its views. The current filters can be saved unless they already are. */
export const ViewTabs = ({ form, views: { list, saved, common = [] } }: { form: FormState; views: Views }) => {
  const shown = filterText(filtersOf(form));
  const isShown = ({ filters }: Pick<SavedViewRow, "filters">) => filterText(Object.entries(filters)) === shown;
  const views = [...common, ...saved];
  const current = saved.find(isShown);
  if (views.length === 0 && shown === "") return null;
  return (
    <div class="views">
      <nav aria-label="Views" class="tabs">
        <a href={form.action} aria-current={shown === "" ? "page" : undefined}>
          All
        </a>
        {views.map((view) => (
          <a
            href={`${form.action}?${new URLSearchParams(view.filters)}`}
            aria-current={isShown(view) ? "page" : undefined}
          >
            {view.name}
          </a>
        ))}
      </nav>
      {current && (
        <form method="post" action={`/admin/saved-views/${current.id}/delete`}>
          <Button tone="quiet">Delete view</Button>
        </form>
      )}
      {!views.some(isShown) && shown !== "" && (
        <details>
          <summary>Save view</summary>
          <SaveView list={list} filters={shown} failed={null} />
        </details>
      )}
    </div>
  );
};

type SaveProps = { list: string; filters: string; failed: Failed | null };

const viewInputs = { name: { as: "text", label: "Name", required: true, maxlength: 60 } } satisfies FormInputs;

/** Asks for a name under which to save the current filters. */
export const SaveView = ({ list, filters, failed }: SaveProps) => {
  const form = formFor(failed, "/admin/saved-views", { inputs: viewInputs });
  return (
    <Form form={form}>
      <input type="hidden" name="list" value={list} />
      <input type="hidden" name="filters" value={filters} />
      <Field form={form} name="name" />
      <Button>Save view</Button>
    </Form>
  );
};

/** A list's name in `/admin/exports`, the label of its rows, and whether it has an archive of files. */
export type ExportList = { list: string; label: string; hasArchive?: true };

const formatNames = { csv: "CSV", ndjson: "JSON", zip: "ZIP" } as const;

/** Exports the list with its current filters, on all pages. */
export const ExportMenu = ({ form, lists, needs }: { form: FormState; lists: readonly ExportList[]; needs: Need }) => {
  if (!useAllowed(needs)) return null;
  const filters = apiFilterText(form);
  return (
    <details class="menu">
      <summary class="button quiet">Export</summary>
      <div data-plain>
        {lists.flatMap(({ list, label, hasArchive }) =>
          [...exportFormats, ...(hasArchive ? (["zip"] as const) : [])].map((format) => (
            <a href={`/admin/exports/${list}/${format}${filters && `?${filters}`}`}>
              {label}, {formatNames[format]}
            </a>
          )),
        )}
      </div>
    </details>
  );
};
