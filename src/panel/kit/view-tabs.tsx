import type { SavedViewRow } from "../../back-office/saved-views/schemas.ts";
import { placeParameters } from "../../platform/http/pagination.ts";
import type { FormInputs } from "../forms/inputs.ts";
import { type Failed, type FormState, formFor } from "../forms/state.ts";
import { isTyped } from "../pickers/picker.ts";
import { Button } from "./buttons.tsx";
import { Field } from "./fields.tsx";
import { Form } from "./form.tsx";

/** The viewer's saved views of a list. */
export type Views = { list: SavedViewRow["list"]; saved: SavedViewRow[] };

/** The list's filters without the page. */
export const filtersOf = ({ values }: FormState): string[][] =>
  Object.entries(values).flatMap(([name, [value]]) =>
    value && !placeParameters.includes(name) && !isTyped(name) ? [[name, value]] : [],
  );

export const textOf = (filters: string[][]): string => new URLSearchParams(filters.toSorted()).toString();

/** Tabs for the whole list and its saved views. The current filters can be saved if they are not yet. */
export const ViewTabs = ({ form, views: { list, saved } }: { form: FormState; views: Views }) => {
  const shown = textOf(filtersOf(form));
  const current = saved.find(({ filters }) => textOf(Object.entries(filters)) === shown);
  if (saved.length === 0 && shown === "") return null;
  return (
    <div class="views">
      <nav aria-label="Saved views" class="tabs">
        <a href={form.action} aria-current={shown === "" ? "page" : undefined}>
          All
        </a>
        {saved.map((view) => (
          <a
            href={`${form.action}?${new URLSearchParams(view.filters)}`}
            aria-current={view === current ? "page" : undefined}
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
      {!current && shown !== "" && (
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
