import type { Child, PropsWithChildren } from "hono/jsx";
import { shopTimeZone, zoneName } from "../../domain/time.ts";
import { errorsOf, errorsOfGroup, type FormState, idOf, optionsOf } from "../forms/inputs.ts";
import { readImageLines } from "../forms/kinds.ts";
import { isReference, type PickerOption, type PickerState, searchedKinds, typedField } from "../pickers/picker.ts";
import { useReadOnly } from "./allowed.tsx";
import { Control, described, type ShownInput } from "./controls.tsx";
import { Thumbnail } from "./values.tsx";

type Of<Name extends string> = { form: FormState<Name>; name: NoInfer<Name> };

const shownIn = <Name extends string>(form: FormState<Name>, name: Name): ShownInput => ({
  id: idOf(form, name),
  name,
  input: form.inputs[name],
  values: form.values[name] ?? [],
  errors: errorsOf(form, name),
});

/** The field of an input that the form declares, with its label, hint and errors. */
export const Field = <Name extends string>({ form, name }: Of<Name>) => {
  const shown = shownIn(form, name);
  switch (shown.input.as) {
    case "group":
      return <Group form={form} name={name} />;
    case "choices":
      return (
        <Group form={form} name={name}>
          <Choices form={form} name={name} />
        </Group>
      );
    case "flag":
      return <Flag {...shown} />;
    case "picker":
      return <PickerField {...shown} form={form} />;
    default:
      return (
        <Labelled {...shown}>
          <Control {...shown} />
        </Labelled>
      );
  }
};

/** A field in a table cell, whose visible label is in the column's head. */
export const CellField = <Name extends string>({ form, name }: Of<Name>) => {
  const shown = shownIn(form, name);
  return (
    <>
      <label class="unseen" for={shown.id}>
        {shown.input.label}
      </label>
      <Control {...shown} />
      <Beside {...shown} />
    </>
  );
};

/** Images as lines of text. A script replaces them by a list to upload, sort and describe images. */
export const Images = <Name extends string>({ form, name }: Of<Name>) => (
  <div data-images={useReadOnly() ? undefined : "/admin/images"}>
    <Field form={form} name={name} />
    <noscript>One per line: the address, a space, and a description.</noscript>
    <p class="thumbnails">
      {readImageLines(form.values[name]?.[0]).map((image) => (
        <Thumbnail images={[image]} name={image.alt} />
      ))}
    </p>
  </div>
);

/** Fields side by side. */
export const Columns = <Name extends string>(fields: FieldsProps<Name>) => (
  <div class="columns">
    <Fields {...fields} />
  </div>
);

/** Short fields side by side, three in a row. */
export const Thirds = <Name extends string>(fields: FieldsProps<Name>) => (
  <div class="thirds">
    <Fields {...fields} />
  </div>
);

type FieldsProps<Name extends string> = { form: FormState<Name>; names: NoInfer<Name>[] };

/** Fields below each other. */
export const Fields = <Name extends string>({ form, names }: FieldsProps<Name>) =>
  names.map((name) => <Field form={form} name={name} />);

/** Fields of some choices of `kind`. The style sheet shows those of the chosen one. */
export const OfKind = ({ kinds, children }: PropsWithChildren<{ kinds: string[] }>) => (
  <div class={`of-kind ${kinds.join(" ")}`}>{children}</div>
);

type AllProps<Name extends string> = { form: FormState<Name>; first?: readonly NoInfer<Name>[] };

const LONG: readonly string[] = [
  "lines",
  "list",
  "metadata",
  "images",
  "places",
  "brackets",
  "choices",
  "group",
  "picker",
];

/**
 * All fields of a form, starting with those in `first`: short ones side by side, then longer ones, then checkboxes. A file
 * is last, because an upload is read as a stream, after its other fields.
 */
export const AllFields = <Name extends string>({ form, first = [] }: AllProps<Name>) => {
  const names = [...new Set([...first, ...(Object.keys(form.inputs) as Name[])])];
  const long = (name: Name) => LONG.includes(form.inputs[name].as);
  const ticked = (name: Name) => form.inputs[name].as === "flag";
  const file = (name: Name) => form.inputs[name].as === "file";
  const short = names.filter((name) => !long(name) && !ticked(name) && !file(name));
  const below = [short.length > 1 ? [] : short, names.filter(long), names.filter(ticked), names.filter(file)].flat();
  return (
    <>
      {short.length > 1 && <Columns form={form} names={short} />}
      <Fields form={form} names={below} />
    </>
  );
};

type FoldedProps<Name extends string> = PropsWithChildren<{
  form: FormState<Name>;
  title: string;
  /** Fields in the card, whose errors unfold it. */
  names: NoInfer<Name>[];
  isOpen: boolean;
  /** Shown next to the title. */
  status?: Child;
}>;

/** A card of fields that few people need, folded away unless it `isOpen` or has an error. */
export const Folded = <Name extends string>({ form, title, names, isOpen, status, children }: FoldedProps<Name>) => (
  <details class="card more" open={isOpen || names.some((name) => errorsOf(form, name).length > 0)}>
    <summary>
      <h2>{title}</h2> {status}
    </summary>
    {children}
  </details>
);

/** Inputs that form one field of the API, such as checkboxes with one name. The legend has their errors. */
export const Group = <Name extends string>({ form, name, children }: PropsWithChildren<Of<Name>>) => {
  const shown = { ...shownIn(form, name), errors: errorsOfGroup(form, name) };
  return (
    <fieldset class="field" id={shown.id} tabindex={-1} aria-describedby={described(shown)["aria-describedby"]}>
      <legend>
        <Label {...shown} />
      </legend>
      <Beside {...shown} />
      {children}
    </fieldset>
  );
};

/** The checkboxes of a group, one for each choice. */
export const Choices = <Name extends string>({ form, name }: Of<Name>) => (
  <div class="choices">
    <div>
      {[...optionsOf(form.inputs[name])].map(([value]) => (
        <Choice form={form} name={name} value={value} />
      ))}
    </div>
  </div>
);

/** One of several checkboxes, or radio buttons, with its name. The children are its label if the choice's own is too short. */
export const Choice = <Name extends string>({
  form,
  name,
  value,
  type = "checkbox",
  children,
}: PropsWithChildren<Of<Name> & { value: string; type?: "checkbox" | "radio" }>) => {
  const id = idOf(form, `${name}-${value}`);
  return (
    <div class="check">
      <input type={type} name={name} value={value} checked={form.values[name]?.includes(value) ?? false} id={id} />
      <label for={id}>{children ?? new Map(optionsOf(form.inputs[name])).get(value)}</label>
    </div>
  );
};

/** The star is decorative, because screen readers announce the field's attribute. Groups explain it in their hint. */
const Label = ({ input: { as, label, required } }: ShownInput) => (
  <>
    {label}
    {as === "moment" && ` (${zoneName(shopTimeZone())})`}
    {required && <span aria-hidden="true"> *</span>}
  </>
);

const Beside = ({ id, input: { hint }, errors }: ShownInput) => (
  <>
    {hint && (
      <span class="hint" id={`${id}-hint`}>
        {hint}
      </span>
    )}
    {errors.length > 0 && (
      <span class="field-errors" id={`${id}-errors`}>
        {[...new Set(errors)].join(", ")}
      </span>
    )}
  </>
);

const Labelled = ({ children, ...shown }: PropsWithChildren<ShownInput>) => (
  <div class="field">
    <label for={shown.id}>
      <Label {...shown} />
    </label>
    {children}
    <Beside {...shown} />
  </div>
);

const Flag = (shown: ShownInput) => (
  <div class="check">
    <input type="checkbox" value="true" checked={shown.values.includes("true")} {...described(shown)} />
    <label for={shown.id}>{shown.input.label}</label>
    <Beside {...shown} />
  </div>
);

/**
 * A field to find records by name. With script, matches are offered while typing. Without it, they are looked up when
 * the form is submitted. Chosen records are ticked checkboxes.
 */
const PickerField = ({ form, ...shown }: ShownInput & { form: FormState }) => {
  const { name } = shown;
  const picked = form.picks.get(name);
  if (!picked) return null;
  const { picker, chosen, matches, text } = picked;
  const type = picker.many || chosen.length + matches.length === 1 ? "checkbox" : "radio";
  return (
    <div class="picker" data-picker={offersFor(form, picked)} data-many={picker.many ? "" : undefined}>
      <Labelled {...shown}>
        <div class="picked">
          {chosen.map((pick) => (
            <Chip id={`${shown.id}-${pick.value}`} type={type} name={name} pick={pick} checked />
          ))}
          {matches.map((pick) => (
            <Chip id={`${shown.id}-${pick.value}`} type={type} name={name} pick={pick} />
          ))}
        </div>
        <input
          type="search"
          value={text}
          placeholder={"placeholder" in shown.input ? shown.input.placeholder : undefined}
          autocomplete="off"
          {...described(shown)}
          name={typedField(name)}
        />
      </Labelled>
    </div>
  );
};

function offersFor({ values }: FormState, { picker }: PickerState): string {
  const kinds = searchedKinds(picker, values).join();
  return `/admin/pick?${new URLSearchParams({ kinds, ...(isReference(picker) && { references: "true" }), ...(picker.sellable && { sellable: "true" }) })}`;
}

type ChipProps = { id: string; type: string; name: string; pick: PickerOption; checked?: boolean };

const Chip = ({ id, type, name, pick, checked }: ChipProps) => (
  <label class="chip">
    <input type={type} name={name} value={pick.value} checked={checked} id={id} />
    <FoundThing {...pick} />
  </label>
);

const FoundThing = ({ label, detail, image }: PickerOption) => (
  <>
    {image && <Thumbnail images={[{ url: image }]} name={label} />}
    <span>
      {label} <small class="muted">{detail}</small>
    </span>
  </>
);

/** Matches while typing, for the script to show. */
export const ChoiceOptions = ({ picks }: { picks: PickerOption[] }) => (
  <>
    {picks.map((pick) => (
      <div data-value={pick.value}>
        <FoundThing {...pick} />
      </div>
    ))}
  </>
);
