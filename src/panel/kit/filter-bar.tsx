import { errorsOf, type FormState } from "../forms/state.ts";
import { LinkButton } from "./buttons.tsx";
import { Field, type Options, Select } from "./fields.tsx";
import { PickerField } from "./picker.tsx";

export type Filter = {
  name: string;
  label: string;
  /** Without options, it is a text or date field. */
  options?: Options;
  type?: "date";
  /** Label of the empty choice, if not "all". */
  all?: string;
};

type FilterBarProps = { form: FormState; filters: Filter[]; submit?: string };

/**
 * Filters a list: a GET form, so that results have an address. It is sent by its button or on change. On a phone, all but the
 * first filter are folded while unset.
 */
export const FilterBar = ({ form, filters, submit = "Filter" }: FilterBarProps) => {
  const isSet = ({ name }: Filter) => form.values[name]?.some(Boolean) || errorsOf(form, name).length > 0;
  const [first, ...others] = filters.map((filter) => <FilterField form={form} {...filter} />);
  return (
    <search>
      <form class="filters" action={form.action} data-auto>
        {first}
        {others.length > 0 && (
          <details open={filters.slice(1).some(isSet)}>
            <summary>More filters</summary>
            {others}
          </details>
        )}
        <div class="actions">
          <button type="submit" class="button quiet">
            {submit}
          </button>
          {filters.some(isSet) && <LinkButton href={form.action}>Clear</LinkButton>}
        </div>
      </form>
    </search>
  );
};

const FilterField = ({ form, name, label, options, type, all = "All" }: Filter & { form: FormState }) => {
  if (form.picks.has(name)) return <PickerField form={form} name={name} label={label} hint="" />;
  if (options) return <Select form={form} name={name} label={label} options={[["", all], ...options]} />;
  return <Field form={form} name={name} label={label} type={type ?? "search"} />;
};

/** Filters by date: preset periods, or from one day to another. */
export const dateFilters = (label: string): Filter[] => [
  {
    name: "days",
    label,
    all: "Any time",
    options: [
      ["1", "Today"],
      ["7", "Last 7 days"],
      ["30", "Last 30 days"],
      ["90", "Last 90 days"],
    ],
  },
  { name: "from", label: "From", type: "date" },
  { name: "to", label: "To", type: "date" },
];
