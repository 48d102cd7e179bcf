import type { Options } from "../../platform/administration/inputs.ts";
import type { FormInput, FormInputs } from "../forms/inputs.ts";
import { errorsOf, type FormState } from "../forms/state.ts";
import { LinkButton } from "./buttons.tsx";
import { Field } from "./fields.tsx";

type FilterBarProps<Name extends string> = { form: FormState<Name>; submit?: string };

/**
 * Filters a list: a GET form, so that results have an address. It is sent by its button or on change. On a phone, all but the
 * first filter are folded while unset.
 */
export const FilterBar = <Name extends string>({ form, submit = "Filter" }: FilterBarProps<Name>) => {
  const names = Object.keys(form.inputs) as Name[];
  const isSet = (name: Name) => form.values[name]?.some(Boolean) || errorsOf(form, name).length > 0;
  const [first, ...others] = names.map((name) => <Field form={form} name={name} />);
  return (
    <search>
      <form class="filters" action={form.action} data-auto>
        {first}
        {others.length > 0 && (
          <details open={names.slice(1).some(isSet)}>
            <summary>More filters</summary>
            {others}
          </details>
        )}
        <div class="actions">
          <button type="submit" class="button quiet">
            {submit}
          </button>
          {names.some(isSet) && <LinkButton href={form.action}>Clear</LinkButton>}
        </div>
      </form>
    </search>
  );
};

/** A filter with some values, after an empty choice for all of them. */
export const choiceFilter = (label: string, options: Options, all = "All") =>
  ({ as: "choice", label, options: [["", all], ...options] }) satisfies FormInput;

/** Values as their own labels, with spaces. */
export const ownLabels = (values: readonly string[]): Options =>
  values.map((value) => [value, value.replaceAll("_", " ")] as const);

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
    from: { as: "date", label: "From" },
    to: { as: "date", label: "To" },
  }) satisfies FormInputs;
