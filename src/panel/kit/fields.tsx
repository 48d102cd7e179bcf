import type { Child, PropsWithChildren } from "hono/jsx";
import type { RenderedField } from "../forms/fields.ts";
import { errorsOf, errorsOfGroup, type FormState, idOf } from "../forms/state.ts";

export type Common = { form: FormState; name: string; label: Child; hint?: Child; required?: boolean | undefined };

/** Registers a field with its form, so that the error summary can name it and link to it. */
export function registerField(
  { form, name, label }: Pick<Common, "form" | "name" | "label">,
  choices: Options = [],
): RenderedField {
  const field = { id: idOf(form, name), label, choices: new Map(choices) };
  form.fields.set(name, field);
  return field;
}

/** ARIA attributes of a control: its hint and errors. */
export function described(
  { form, name, hint }: Pick<Common, "form" | "name" | "hint">,
  errors: string[] = errorsOf(form, name),
) {
  const id = idOf(form, name);
  const invalid = errors.length > 0;
  const describedBy = [hint && `${id}-hint`, invalid && `${id}-errors`].filter(Boolean).join(" ");
  return { id, name, "aria-describedby": describedBy || undefined, "aria-invalid": invalid ? "true" : undefined };
}

type BesideProps = Pick<Common, "form" | "name" | "hint"> & { errors?: string[] };

const Beside = ({ form, name, hint, errors = errorsOf(form, name) }: BesideProps) => {
  const id = idOf(form, name);
  return (
    <>
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {errors.length > 0 && (
        <span class="field-errors" id={`${id}-errors`}>
          {errors.join(", ")}
        </span>
      )}
    </>
  );
};

/** Decorative: screen readers announce the field's attribute; groups explain it in their hint. */
const Star = () => <span aria-hidden="true"> *</span>;

export const Labelled = ({ children, choices, ...common }: PropsWithChildren<Common & { choices?: Options }>) => {
  const { id } = registerField(common, choices);
  return (
    <div class="field">
      <label for={id}>
        {common.label}
        {common.required && <Star />}
      </label>
      {children}
      <Beside {...common} />
    </div>
  );
};

type FieldProps = Common & {
  type?: "text" | "email" | "password" | "search" | "tel" | "url" | "date" | "datetime-local" | "file";
  inputmode?: "numeric" | "decimal";
  autocomplete?: string;
  placeholder?: string;
  maxlength?: number;
  max?: string;
};

/** A single-line or file input. Passwords and files are never sent back to the page. */
export const Field = ({ form, name, label, hint, required, type = "text", ...rest }: FieldProps) => (
  <Labelled form={form} name={name} label={label} hint={hint} required={required}>
    <input
      type={type}
      value={type === "password" || type === "file" ? undefined : form.values[name]?.[0]}
      required={required}
      {...described({ form, name, hint })}
      {...rest}
    />
  </Labelled>
);

export const Textarea = ({ rows = 5, ...common }: Common & { rows?: number }) => (
  <Labelled {...common}>
    <textarea rows={rows} required={common.required} {...described(common)}>
      {common.form.values[common.name]?.[0] ?? ""}
    </textarea>
  </Labelled>
);

/** Choices in order, as values with labels. An object would sort ids first. */
export type Options = Iterable<readonly [value: string, label: string]>;

export const Select = ({ options, ...common }: Common & { options: Options }) => (
  <Labelled {...common} choices={options}>
    <select required={common.required} {...described(common)}>
      {[...options].map(([value, label]) => (
        <option value={value} selected={value === common.form.values[common.name]?.[0]}>
          {label}
        </option>
      ))}
    </select>
  </Labelled>
);

/** A checkbox. With a `value` it is one of several with its name. */
export const Checkbox = ({ value = "true", ...common }: Common & { value?: string }) => {
  const id = value === "true" ? idOf(common.form, common.name) : idOf(common.form, `${common.name}-${value}`);
  const checked = common.form.values[common.name]?.includes(value) ?? false;
  if (value === "true")
    registerField(common, [
      ["true", "yes"],
      ["", "no"],
    ]);
  else if (typeof common.label === "string") common.form.fields.get(common.name)?.choices.set(value, common.label);
  // Errors of several checkboxes with one name belong to their group.
  const attributes = value === "true" ? described(common) : { name: common.name };
  return (
    <div class="check">
      <input type="checkbox" value={value} checked={checked} {...attributes} id={id} />
      <label for={id}>{common.label}</label>
      {value === "true" && <Beside {...common} />}
    </div>
  );
};

/** Fields that belong together, such as checkboxes with one name, with a common legend. */
export const Fieldset = ({ children, ...common }: PropsWithChildren<Common>) => {
  const { id } = registerField(common);
  const errors = errorsOfGroup(common.form, common.name);
  return (
    <fieldset class="field" id={id} tabindex={-1} aria-describedby={described(common, errors)["aria-describedby"]}>
      <legend>
        {common.label}
        {common.required && <Star />}
      </legend>
      <Beside {...common} errors={errors} />
      {children}
    </fieldset>
  );
};
