import type { zoneFields } from "../../checkout/shipping/zones/fields.ts";
import { type FieldKind, flag, text } from "../forms/kinds.ts";
import { places } from "../forms/places.ts";
import type { FormState } from "../forms/state.ts";
import { Checkbox, Field, Textarea } from "../kit/fields.tsx";

export const zoneKinds: Record<keyof typeof zoneFields, FieldKind> = { name: text, places, rest_of_world: flag };

export const ZoneFields = ({ form }: { form: FormState }) => (
  <>
    <Field form={form} name="name" label="Name" hint="Staff see it, and buyers do not." required maxlength={100} />
    <Textarea
      form={form}
      name="places"
      label="Countries and regions"
      hint="Codes or names, divided by commas: DE, Austria, US-NY. Each is in one zone alone, and a region's zone goes before its country's."
      rows={3}
    />
    <Checkbox
      form={form}
      name="rest_of_world"
      label="Rest of the world"
      hint="Every place that no zone names is in this one."
    />
  </>
);
