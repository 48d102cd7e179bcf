import { errorsOf, type FormState } from "../forms/state.ts";
import { LinkButton } from "./buttons.tsx";
import { Field, type Options, Select } from "./fields.tsx";

export type Filter = {
  name: string;
  label: string;
  /** Without them it is a field to type into. */
  options?: Options;
  /** What no choice means, where that is not simply all. */
  all?: string;
};

/** Narrows a list: a form that gets, so that what it finds has an address. It is sent by its button, or when it changes. */
export const FilterBar = ({ form, filters }: { form: FormState; filters: Filter[] }) => {
  const isNarrowed = filters.some(({ name }) => form.values[name]?.some(Boolean) || errorsOf(form, name).length > 0);
  return (
    <search>
      <form class="filters" action={form.action} data-auto>
        {filters.map(({ name, label, options, all = "All" }) =>
          options ? (
            <Select form={form} name={name} label={label} options={[["", all], ...options]} />
          ) : (
            <Field form={form} name={name} label={label} type="search" />
          ),
        )}
        <div class="actions">
          <button type="submit" class="button quiet">
            Filter
          </button>
          {isNarrowed && <LinkButton href={form.action}>Clear</LinkButton>}
        </div>
      </form>
    </search>
  );
};
