import type { Child } from "hono/jsx";
import { type Conflict, type Difference, overwriteField } from "../forms/edit.ts";
import { fieldLabel, type RenderedField } from "../forms/fields.ts";
import { type FormState, pageOf } from "../forms/state.ts";
import { Button } from "./buttons.tsx";
import { Table } from "./table.tsx";

/** Changes that someone else saved while a form was open, next to the user's input, with two ways to continue. */
export const ConflictNotice = ({ form, conflict }: { form: FormState; conflict: Conflict }) => (
  <section class="conflict" aria-label="Changed by someone else">
    {/* Enter in a field presses the form's first button: let it be one that does not overwrite. */}
    <button type="submit" class="unseen" tabindex={-1}>
      Send again
    </button>
    {conflict.differences.length === 0 ? (
      <p>The fields of this form are equal in both versions. The rest of the page shows the current state.</p>
    ) : (
      <Table
        label="What differs"
        rows={conflict.differences}
        columns={[
          { title: "Field", cell: ({ name }) => <Name name={name} field={form.fields.get(name)} /> },
          { title: "Theirs, saved", cell: ({ name, theirs }) => inLabels(theirs, form.fields.get(name)) },
          { title: "Yours", cell: (row) => <Yours {...row} field={form.fields.get(row.name)} /> },
        ]}
      />
    )}
    <div class="actions">
      <a class="button quiet" href={pageOf(form)} data-discard>
        Discard my changes and reload
      </a>
      <Button tone="danger" name={overwriteField} value={conflict.etag}>
        Overwrite with my changes
      </Button>
    </div>
  </section>
);

const Name = ({ name, field }: { name: string; field: RenderedField | undefined }) =>
  field ? <a href={`#${field.id}`}>{field.label}</a> : fieldLabel(name);

const Yours = ({ yours, isMine, field }: Difference & { field: RenderedField | undefined }) =>
  isMine ? inLabels(yours, field) : <span class="muted">not changed by you: theirs stays</span>;

/** Values by the form's own labels. */
function inLabels(values: readonly string[], field: RenderedField | undefined): Child {
  const filled = values.length === 0 ? [""] : values;
  const words = filled.map((value) => field?.choices.get(value) ?? value).filter(Boolean);
  return <span class="said">{words.length === 0 ? "–" : words.join(", ")}</span>;
}
