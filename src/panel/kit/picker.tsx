import type { FormState } from "../forms/state.ts";
import { type Choice, isReference, kindsOf, type PickerState, typedField } from "../pickers/picker.ts";
import { type Common, described, Labelled } from "./fields.tsx";
import { Thumbnail } from "./thumbnail.tsx";

const HINT = "Name, e-mail address, SKU, number or id.";

/**
 * A field to find things by name. With scripts, matches are offered while typing; without, they are looked up when the form
 * is sent. Chosen things are ticked checkboxes.
 */
export const PickerField = ({ hint = HINT, ...common }: Common) => {
  const { form, name } = common;
  const picked = form.picks.get(name);
  if (!picked) return null;
  const { picker, chosen, matches, text } = picked;
  const type = picker.many || chosen.length + matches.length === 1 ? "checkbox" : "radio";
  return (
    <div class="picker" data-picker={offersFor(form, picked)} data-many={picker.many ? "" : undefined}>
      <Labelled {...common} hint={hint}>
        <div class="picked">
          {chosen.map((pick) => (
            <Chip type={type} name={name} pick={pick} checked />
          ))}
          {matches.map((pick) => (
            <Chip type={type} name={name} pick={pick} />
          ))}
        </div>
        <input
          type="search"
          value={text}
          maxlength={254}
          autocomplete="off"
          {...described({ form, name, hint })}
          name={typedField(name)}
        />
      </Labelled>
    </div>
  );
};

function offersFor({ values }: FormState, { picker }: PickerState): string {
  const kinds = kindsOf(picker, values).join();
  return `/admin/pick?${new URLSearchParams({ kinds, ...(isReference(picker) && { references: "true" }) })}`;
}

const Chip = ({ type, name, pick, checked }: { type: string; name: string; pick: Choice; checked?: boolean }) => (
  <label class="chip">
    <input type={type} name={name} value={pick.value} checked={checked} />
    <Shown {...pick} />
  </label>
);

const Shown = ({ label, detail, image }: Choice) => (
  <>
    {image && <Thumbnail images={[{ url: image }]} />}
    <span>
      {label} <small class="muted">{detail}</small>
    </span>
  </>
);

/** Matches while typing, for the script to show. */
export const ChoiceOptions = ({ picks }: { picks: Choice[] }) => (
  <>
    {picks.map((pick) => (
      <div data-value={pick.value}>
        <Shown {...pick} />
      </div>
    ))}
  </>
);
