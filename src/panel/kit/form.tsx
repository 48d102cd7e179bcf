import type { Child, PropsWithChildren } from "hono/jsx";
import type { FieldErrors } from "../../domain/errors.ts";
import { type Conflict, type Difference, type Edit, overwriteField, seenField, versionField } from "../forms/edit.ts";
import {
  CHANGED,
  type Failed,
  type FormInput,
  type FormInputs,
  type FormState,
  fieldLabel,
  formPage,
  idOf,
  inputAt,
  optionsOf,
} from "../forms/inputs.ts";
import { Allowed, type Need, ReadOnlyForm, useAllowed, useReadOnly } from "./allowed.tsx";
import { Table } from "./table.tsx";

/**
 * A POST form with an error summary. One with a file names the URL to `upload` it in parts, which needs script. A
 * `plain` form is always submitted by the browser. Viewers without the `needs` permission see its fields but cannot
 * submit it. `save` is the label of the button in its save bar.
 */
export const Form = ({
  form,
  upload,
  plain = false,
  multipart = upload !== undefined,
  needs,
  save,
  children,
}: PropsWithChildren<{
  form: FormState;
  upload?: string;
  plain?: boolean;
  multipart?: boolean;
  needs?: Need;
  save?: string | undefined;
}>) => {
  if (needs && !useAllowed(needs)) return <ReadOnlyForm>{children}</ReadOnlyForm>;
  return (
    <form
      method="post"
      action={form.action}
      enctype={multipart ? "multipart/form-data" : undefined}
      data-upload={upload}
      class="form"
      data-plain={plain ? "" : undefined}
      data-unsaved={form.message === null ? undefined : ""}
    >
      {form.edit && <Version {...form.edit} />}
      {form.message !== null && <ErrorSummary {...form} />}
      {form.edit?.conflict && <ConflictNotice form={form} conflict={form.edit.conflict} />}
      {children}
      {save !== undefined && (
        <SaveBar>
          <Button>{save}</Button>
        </SaveBar>
      )}
    </form>
  );
};

/** The edited version, sent with the form. */
const Version = ({ etag, seen }: Edit) => (
  <>
    <input type="hidden" name={versionField} value={etag} />
    {Object.keys(seen).length > 0 && <input type="hidden" name={seenField} value={JSON.stringify(seen)} />}
  </>
);

type SummaryProps = {
  message: string | null;
  errors: FieldErrors;
  tone?: Failed["tone"];
  /** The form whose fields the summary links to. */
  action?: string;
  inputs?: FormInputs<never>;
};

/** The reasons for a refusal: as a whole, then by field with links. Gets the focus. */
export const ErrorSummary = ({ message, errors, tone = "error", action = "", inputs = {} }: SummaryProps) => {
  const refusals = Object.entries(errors).flatMap(([path, words]) => words.map((each) => ({ path, words: each })));
  if (message === null && refusals.length === 0) return null;
  return (
    <div class={`notice ${tone}`} role="alert" tabindex={-1} autofocus>
      {message && <p>{message}</p>}
      {refusals.length > 0 && (
        <ul>
          {refusals.map(({ path, words }) => (
            <li>
              <FieldLink action={action} inputs={inputs} path={path} />: {words}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};

type LinkProps = { action: string; inputs: FormInputs<never>; path: string };

/** The field of a path, named with its group and its position in a list. */
const FieldLink = ({ action, inputs, path }: LinkProps) => {
  const found = inputAt(inputs, path);
  if (!found) return <>{path === "body" ? "Your input" : fieldLabel(path)}</>;
  const { name, input, position } = found;
  const group = inputAt(inputs, path.slice(0, Math.max(0, path.lastIndexOf("."))));
  return (
    <a href={`#${idOf({ action }, name)}`}>
      {group && group.name !== name && <>{group.input.label}, </>}
      {input.label}
      {position !== null && ` ${position}`}
    </a>
  );
};

/** A refusal whose form is no longer on the page, because its action is no longer possible. */
export const Refusal = ({ failed, offered }: { failed: Failed | null; offered: string[] }) => {
  if (!failed || offered.includes(failed.action)) return null;
  const { "if-match": outdated, ...errors } = failed.errors;
  return <ErrorSummary {...failed} errors={errors} message={outdated ? CHANGED : failed.message} />;
};

type NoticeProps = { form: FormState; conflict: Conflict };

/** Changes that someone else saved while a form was open, next to the user's input, with two ways to continue. */
const ConflictNotice = ({ form, conflict }: NoticeProps) => {
  const inputs: FormInputs = form.inputs;
  return (
    <section class="conflict" aria-label="Changed by someone else">
      {/* Enter in a field presses the form's first button: let it be one that does not overwrite. */}
      <button type="submit" class="unseen" tabindex={-1}>
        Send again
      </button>
      <Table
        label="What differs"
        rows={conflict.differences}
        columns={[
          { title: "Field", cell: ({ name }) => <FieldLink {...form} path={name} /> },
          { title: "Theirs, saved", cell: ({ name, theirs }) => inLabels(theirs, inputs[name]) },
          { title: "Yours", cell: (row) => <Yours {...row} input={inputs[row.name]} /> },
        ]}
        none={<p>The fields of this form are equal in both versions. The rest of the page shows the current state.</p>}
      />
      <div class="actions">
        <a class="button quiet" href={formPage(form)} data-discard>
          Discard my changes and reload
        </a>
        <Button tone="danger" name={overwriteField} value={conflict.etag}>
          Overwrite with my changes
        </Button>
      </div>
    </section>
  );
};

const Yours = ({ yours, isMine, input }: Difference & { input: FormInput | undefined }) =>
  isMine ? inLabels(yours, input) : <span class="muted">not changed by you: theirs stays</span>;

/** Values by the labels of their choices. Typed values are their own label. */
function inLabels(values: readonly string[], input: FormInput | undefined) {
  const filled = values.length === 0 ? [""] : values;
  const labels = new Map(input ? optionsOf(input) : []);
  const words = filled.map((value) => labels.get(value) ?? value).filter(Boolean);
  return <span class="said">{words.length === 0 ? "–" : words.join(", ")}</span>;
}

type OpensDialog = {
  form: FormState;
  label: string;
  /** True for the next step on the page, whose button is highlighted. */
  isNext?: boolean;
};

/** Opens the dialog of a form. Only the dialog's own button is red. A refused form's dialog is open already. */
export const DialogButton = ({ form, label, isNext = false }: OpensDialog) =>
  form.message === null ? (
    <button type="button" class={`button ${isNext ? "primary" : "quiet"}`} popovertarget={idOf(form, "dialog")}>
      {label}
    </button>
  ) : null;

type DialogProps = PropsWithChildren<{
  form: FormState;
  title: string;
  text: Child;
  /** Label of the button that sends the form. */
  action: string;
  /** Name of a button that previews the action; with scripts the preview updates while typing. */
  preview?: string | undefined;
  /** True if the form moves money: Enter in a field does not send it. */
  movesMoney?: boolean;
  /** True for a form with a file. */
  multipart?: boolean;
  tone?: Tone;
}>;

/** A form that its DialogButton opens. Works without scripts. A refused form stays open with its errors. */
export const FormDialog = ({
  form,
  title,
  text,
  action,
  preview,
  movesMoney,
  multipart = false,
  tone = "danger",
  children,
}: DialogProps) => {
  const id = idOf(form, "dialog");
  const refused = form.message !== null;
  return (
    <dialog
      id={id}
      popover={refused ? undefined : "auto"}
      open={refused}
      class="dialog"
      aria-labelledby={`${id}-title`}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <p>{text}</p>
      <Form form={form} plain={multipart} multipart={multipart}>
        {/* Enter presses the first button, which does nothing if it is disabled. */}
        {movesMoney && <button type="submit" disabled hidden />}
        {children}
        <div class="actions">
          <Button tone={tone}>{action}</Button>
          {preview && (
            <noscript>
              <Button tone="quiet" name="preview" value="true">
                {preview}
              </Button>
            </noscript>
          )}
          {refused ? (
            <a class="button quiet" href={formPage(form)} data-discard>
              Not now
            </a>
          ) : (
            <button type="button" class="button quiet" popovertarget={id} popovertargetaction="hide">
              Not now
            </button>
          )}
        </div>
      </Form>
    </dialog>
  );
};

/** A button that asks for confirmation: `label` opens the question, whose form contains the `children`. */
export const ConfirmButton = ({
  label,
  action = label,
  needs = "staff",
  ...dialog
}: OpensDialog & Omit<DialogProps, "action"> & { action?: string; needs?: Need }) => (
  <Allowed to={needs}>
    <DialogButton {...dialog} label={label} />
    <FormDialog {...dialog} action={action} />
  </Allowed>
);

/** The buttons of a long form, at the window's bottom. With script, a record's appear once something was changed. */
export const SaveBar = ({ children }: PropsWithChildren) =>
  useReadOnly() ? null : <div class="save-bar">{children}</div>;

export type Tone = "primary" | "quiet" | "danger";

/** A submit button. `name` identifies the pressed one of several buttons. */
export const Button = ({
  tone = "primary",
  children,
  ...rest
}: PropsWithChildren<{ tone?: Tone; name?: string; value?: string; "data-calculates"?: true }>) =>
  useReadOnly() ? null : (
    <button type="submit" class={`button ${tone}`} {...rest}>
      {children}
    </button>
  );

type LinkButtonProps = PropsWithChildren<{ href: string; tone?: Tone; needs?: Need }>;

export const LinkButton = ({ href, tone = "quiet", needs = "staff", children }: LinkButtonProps) => (
  <Allowed to={needs}>
    <a class={`button ${tone}`} href={href}>
      {children}
    </a>
  </Allowed>
);
