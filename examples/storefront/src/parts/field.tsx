import type { Form } from "./form.ts";

type FieldProps = {
  form: Form;
  name: string;
  label: string;
  type?: "text" | "email" | "password";
  autocomplete: string;
  hint?: string;
  minlength?: number;
};

/** One line to fill in, with what is wrong with it. A password is never sent back to the page. */
export const Field = ({ form, name, label, type = "text", hint, ...rest }: FieldProps) => {
  const id = name.replaceAll(".", "-");
  const errors = form.errors[name] ?? [];
  const describedBy = [hint && `${id}-hint`, errors.length > 0 && `${id}-errors`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        type={type}
        required
        value={type === "password" ? undefined : form.values[name]}
        aria-describedby={describedBy || undefined}
        aria-invalid={errors.length > 0 ? "true" : undefined}
        {...rest}
      />
      {hint && (
        <span class="quiet" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {errors.length > 0 && (
        <span class="wrong" id={`${id}-errors`}>
          {errors.join(", ")}
        </span>
      )}
    </div>
  );
};
