import type { Child, PropsWithChildren } from "hono/jsx";
import type { Page } from "../../platform/http/pagination.ts";
import { type FormState, idOf } from "../forms/state.ts";
import { Button } from "./buttons.tsx";

/** Bulk actions on a list's rows: the form and its fields. */
export type Bulk = { form: FormState<"ids">; fields: Child };

type Props = { bulk: Bulk; filters: string; place: Page };

/** A table with selectable rows and bulk actions. The action's fields show once a row is selected. */
export const SelectionForm = ({ bulk, filters, place, children }: PropsWithChildren<Props>) => {
  const { totalItems, totalIsExact, perPage } = place;
  const total = totalIsExact ? String(totalItems) : `(more than ${totalItems})`;
  return (
    <form method="post" action={bulk.form.action} class="selection" data-plain>
      <input type="hidden" name="once" value={crypto.randomUUID()} />
      <input type="hidden" name="filters" value={filters} />
      <input type="hidden" name="matched" value={total} />
      <fieldset class="bulk card" aria-label="Action for the selected rows">
        <p>
          <output data-selected>Selected rows</output>
        </p>
        {totalItems > perPage && (
          <div class="check">
            <input type="checkbox" name="all" value="true" id="select-all-pages" />
            <label for="select-all-pages">All {total} in the list, on all pages</label>
          </div>
        )}
        <div class="filters">
          {bulk.fields}
          <div class="actions">
            <Button>Apply</Button>
          </div>
        </div>
      </fieldset>
      {children}
    </form>
  );
};

/** The selection, in a form that is shown again. */
export const Selected = ({ form }: { form: FormState<"ids"> }) => {
  const { all, ids = [], matched = [] } = form.values;
  return (
    <>
      {["once", "filters", "matched", "all", "confirmed", "ids"].flatMap((name) =>
        (form.values[name] ?? []).map((value) => <input type="hidden" name={name} value={value} />),
      )}
      <p class="muted" id={idOf(form, "ids")} tabindex={-1}>
        {all ? `All ${matched} in the list` : `Selected: ${ids.length}`}
      </p>
    </>
  );
};
