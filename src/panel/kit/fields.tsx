import type { Child, PropsWithChildren } from "hono/jsx";
import type { RenderedField } from "../forms/fields.ts";
import { errorsOf, errorsOfGroup, type FormState, idOf } from "../forms/state.ts";

export type Common = { form: FormState; name: string; label: Child; hint?: Child; required?: boolean | undefined };

/** Adds a field to those that its form shows, so that the summary of errors can name it and link to it. */
export function registerField(
  { form, name, label }: Pick<Common, "form" | "name" | "label">,
  choices: Options = [],
): RenderedField {
  const field = { id: idOf(form, name), label, choices: new Map(choices) };
  form.fields.set(name, field);
  return field;
}

/** The ARIA attributes of a control: its hint and its errors. */
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

/** Who does not see it hears of the field's attribute; a group has none, and says so in its hint. */
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

/** One line, or a file. A password is never sent back to the page, and a file cannot be. */
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

/** What a field lets one choose from, in its order: each value with its label. An object would sort ids before everything. */
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

/** A box to tick; with a `value` it is one of several of its name. */
export const Checkbox = ({ value = "true", ...common }: Common & { value?: string }) => {
  const id = value === "true" ? idOf(common.form, common.name) : idOf(common.form, `${common.name}-${value}`);
  const checked = common.form.values[common.name]?.includes(value) ?? false;
  if (value === "true")
    registerField(common, [
      ["true", "yes"],
      ["", "no"],
    ]);
  else if (typeof common.label === "string") common.form.fields.get(common.name)?.choices.set(value, common.label);
  // What is wrong with several of one name is said of their group.
  const attributes = value === "true" ? described(common) : { name: common.name };
  return (
    <div class="check">
      <input type="checkbox" value={value} checked={checked} {...attributes} id={id} />
      <label for={id}>{common.label}</label>
      {value === "true" && <Beside {...common} />}
    </div>
  );
};

/** Fields that belong together, such as checkboxes of one name, below what is said of all of them. */
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
