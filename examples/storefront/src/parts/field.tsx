import type { Child } from "hono/jsx";
import type { Form } from "./form.ts";

type FieldProps = {
  form: Form;
  name: string;
  label: string;
  type?: "text" | "email" | "password" | "tel";
  autocomplete: string;
  hint?: string;
  required?: boolean;
  minlength?: number;
  maxlength?: number;
  inputmode?: "numeric" | "tel";
  autocapitalize?: "characters" | "words";
};

/** A checkbox with its label, ticked if the form says "yes". */
export const Tick = ({ form, name, label }: { form: Form; name: string; label: string }) => (
  <label class="tick">
    <input type="checkbox" name={name} value="yes" checked={form.values[name] === "yes"} id={name} />
    {label}
  </label>
);

/** A single-line input with its errors. Passwords are never sent back to the page. */
export const Field = ({ form, name, label, type = "text", hint, required = true, ...rest }: FieldProps) => (
  <Labelled form={form} name={name} label={label} hint={hint}>
    <input
      {...inputOf(form, name, hint)}
      type={type}
      dir={type === "text" ? "auto" : undefined}
      required={required}
      value={type === "password" ? undefined : form.values[name]}
      // Browsers accept name@example, which is no public address.
      pattern={type === "email" ? ".+@.+[.].+" : undefined}
      title={type === "email" ? "An address such as name@example.com" : undefined}
      {...rest}
    />
  </Labelled>
);

type LabelledProps = { form: Form; name: string; label: string; hint?: string | undefined; children: Child };

/** An input with its label, hint and errors. */
export const Labelled = ({ form, name, label, hint, children }: LabelledProps) => {
  const errors = form.errors[name] ?? [];
  return (
    <div class="field">
      <label for={idOf(name)}>{label}</label>
      {children}
      {hint && (
        <span class="quiet" id={`${idOf(name)}-hint`}>
          {hint}
        </span>
      )}
      {errors.length > 0 && (
        <span class="wrong" id={`${idOf(name)}-errors`}>
          {errors.map((error) => sentence(label, error)).join(" ")}
        </span>
      )}
    </div>
  );
};

/** The API's message about a field, such as "is required", with the field's name. */
const sentence = (label: string, error: string): string =>
  /^[a-z]/.test(error) ? `${label.replace(/ \(.+\)$/, "")} ${error}.` : error;

/** Attributes that connect an input to its label, hint and errors. */
export function inputOf({ errors }: Form, name: string, hint?: string) {
  const isWrong = (errors[name] ?? []).length > 0;
  const describedBy = [hint && `${idOf(name)}-hint`, isWrong && `${idOf(name)}-errors`].filter(Boolean).join(" ");
  return {
    id: idOf(name),
    name,
    "aria-describedby": describedBy || undefined,
    "aria-invalid": isWrong ? ("true" as const) : undefined,
  };
}

const idOf = (name: string): string => name.replaceAll(".", "-");
