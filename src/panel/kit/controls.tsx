import { shopCurrency } from "../../domain/money.ts";
import { type FormInput, optionsOf } from "../forms/inputs.ts";
import { FormattedText } from "./values.tsx";

/** An input of a form with its values and errors, to be shown as a field. */
export type ShownInput = { id: string; name: string; input: FormInput; values: readonly string[]; errors: string[] };

/** ARIA attributes of a control: its hint and errors. */
export function described({ id, name, input, errors }: ShownInput) {
  const invalid = errors.length > 0;
  const parts = [unitOf(input) && `${id}-unit`, input.hint && `${id}-hint`, invalid && `${id}-errors`];
  const describedBy = parts.filter(Boolean).join(" ");
  return { id, name, "aria-describedby": describedBy || undefined, "aria-invalid": invalid ? "true" : undefined };
}

/** A select, a text area or an input of one line. */
export function Control(shown: ShownInput) {
  const { input, values } = shown;
  const attributes = { required: input.required, ...described(shown) };
  switch (input.as) {
    case "choice":
    case "country":
      return (
        <select {...attributes}>
          {[...optionsOf(input)].map(([value, label]) => (
            <option value={value} selected={value === values[0]}>
              {label}
            </option>
          ))}
        </select>
      );
    case "lines":
    case "list":
    case "metadata":
    case "images":
    case "places":
    case "brackets":
      return (
        <>
          <textarea
            rows={input.rows ?? 3}
            dir="auto"
            data-maxlength={input.maxlength}
            data-markdown={input.markdown}
            {...attributes}
          >
            {values[0] ?? ""}
          </textarea>
          {input.markdown && <FormattedText markdown={values[0] ?? ""} hidden />}
        </>
      );
    default: {
      const unit = unitOf(input);
      const suggestions = "suggestions" in input ? input.suggestions : undefined;
      const list = suggestions && `${shown.id}-list`;
      const control = (
        <>
          <input {...lineOf(input, values)} list={list} {...attributes} />
          {suggestions && (
            <datalist id={list}>
              {suggestions.map((value) => (
                <option value={value} />
              ))}
            </datalist>
          )}
        </>
      );
      return unit === undefined ? (
        control
      ) : (
        <span class="with-unit">
          {control}
          <span class="muted" id={`${shown.id}-unit`}>
            {unit}
          </span>
        </span>
      );
    }
  }
}

/** Unit of a number, shown after its input. An empty one hides the currency. */
function unitOf(input: FormInput): string | undefined {
  if ("unit" in input) return input.unit || undefined;
  if (input.as === "money") return shopCurrency();
  return input.as === "percent" ? "%" : undefined;
}

/**
 * Attributes of an input of one line. Passwords and files are never sent back to the page. The character limit is not
 * a `maxlength`, which would cut pasted text: a script counts, and the schema refuses.
 */
function lineOf(
  { as, label: _label, hint: _hint, required: _required, read: _read, ...input }: FormInput,
  values: readonly string[],
) {
  const { maxlength, unit, suggestions, ...attributes } = {
    maxlength: undefined,
    unit: undefined,
    suggestions: undefined,
    ...input,
  };
  const rest = { ...attributes, "data-maxlength": maxlength };
  switch (as) {
    case "number":
      return { type: "text", inputmode: "numeric", value: values[0], ...rest } as const;
    case "money":
    case "decimal":
    case "percent":
      return { type: "text", inputmode: "decimal", value: values[0], ...rest } as const;
    case "moment":
      return { type: "datetime-local", value: values[0], ...rest };
    case "password":
    case "file":
      return { type: as, ...rest };
    case "tags":
      return { type: "text", value: values[0], dir: "auto", ...rest };
    case "text":
    case "search":
      return { type: as, value: values[0], dir: "auto", ...rest };
    default:
      return { type: as, value: values[0], ...rest };
  }
}
