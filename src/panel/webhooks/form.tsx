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
      hint="It begins with https and is on the public internet."
      required
      maxlength={2000}
    />
    <Field form={form} name="description" label="Description" hint="What it is for." maxlength={200} />
    <Fieldset form={form} name="types" label="Events" hint="Of none, only tests arrive.">
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
    <Checkbox form={form} name="enabled" label="Enabled" hint="What happens meanwhile is sent once it is." />
  </>
);
