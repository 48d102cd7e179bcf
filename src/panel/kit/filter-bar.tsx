import { errorsOf, type FormState } from "../forms/state.ts";
import { LinkButton } from "./buttons.tsx";
import { Field, Select } from "./fields.tsx";

/** `all` is what no choice means, where that is not simply all. */
type Filter =
  | { name: string; label: string; options: Record<string, string>; all?: string }
  | { name: string; label: string };

/** Narrows a list: a form that gets, so that what it finds has an address. It is sent by its button, or when it changes. */
export const FilterBar = ({ form, filters }: { form: FormState; filters: Filter[] }) => {
  const isNarrowed = filters.some(({ name }) => form.values[name]?.some(Boolean) || errorsOf(form, name).length > 0);
  return (
    <search>
      <form class="filters" action={form.action} data-auto>
        {filters.map((filter) =>
          "options" in filter ? (
            <Select
              form={form}
              name={filter.name}
              label={filter.label}
              options={{ "": filter.all ?? "All", ...filter.options }}
            />
          ) : (
            <Field form={form} name={filter.name} label={filter.label} type="search" />
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
