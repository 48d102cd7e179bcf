import { resources } from "../../auth/permissions.ts";
import type { FormState } from "../forms/state.ts";
import { Checkbox, Fieldset } from "../kit/fields.tsx";

/** Resources by what may be done with them; the first row is everything there is. */
export const PermissionGrid = ({ form }: { form: FormState }) => (
  <Fieldset form={form} name="permissions" label="Permissions">
    <div class="permissions">
      <p class="muted">Read is for GET requests, write for POST, PUT and DELETE.</p>
      <Row form={form} title="Everything" read="read" write="write" />
      {resources.map((name) => (
        <Row form={form} title={name} read={`${name}:read`} write={`${name}:write`} />
      ))}
    </div>
  </Fieldset>
);

const Row = ({ form, title, read, write }: { form: FormState; title: string; read: string; write: string }) => (
  <div class="permission">
    <span class="resource">{title}</span>
    <Checkbox form={form} name="permissions" value={read} label={<Action of={title} name="read" />} />
    <Checkbox form={form} name="permissions" value={write} label={<Action of={title} name="write" />} />
  </div>
);

/** Who does not see the row hears of what. */
const Action = ({ of, name }: { of: string; name: string }) => (
  <>
    <span class="unseen">{of} </span>
    {name}
  </>
);
