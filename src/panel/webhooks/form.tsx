import { patternsByNoun } from "../../integrations/webhooks/fields.ts";
import type { FormState } from "../forms/state.ts";
import { Checkbox, Field, Fieldset } from "../kit/fields.tsx";

export const WebhookFields = ({ form }: { form: FormState }) => (
  <>
    <Field
      form={form}
      name="url"
      label="Address"
      type="url"
      placeholder="https://example.com/webhooks"
      hint="A public https:// address."
      required
      maxlength={2000}
    />
    <Field form={form} name="description" label="Description" hint="Purpose of the endpoint." maxlength={200} />
    <Fieldset form={form} name="types" label="Events" hint="If none is chosen, only test events are sent.">
      <div class="event-types">
        <Checkbox form={form} name="types" value="*" label="Everything" />
        {patternsByNoun.map(({ noun, all, types }) => (
          <div class="event-noun">
            <Checkbox form={form} name="types" value={all} label={`All of ${noun.replaceAll("_", " ")}`} />
            {types.map((type) => (
              <Checkbox form={form} name="types" value={type} label={type} />
            ))}
          </div>
        ))}
      </div>
    </Fieldset>
    <Checkbox form={form} name="enabled" label="Enabled" hint="Events in the meantime are sent once it is enabled." />
  </>
);
