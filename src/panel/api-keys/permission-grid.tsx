import { resources } from "../../platform/auth/permissions.ts";
import type { FormState } from "../forms/state.ts";
import { Checkbox, Fieldset } from "../kit/fields.tsx";

/** What the name of a resource does not say by itself. */
const hints: { [Name in (typeof resources)[number]]?: string } = {
  products: "with categories and stock",
  orders: "all carts; includes checkout",
  users: "all customers; write can end their sessions",
  sessions: "sign customers up, in and out",
  checkout: "guest orders and orders of this key",
  packages: "who may download what",
  payments: "mark paid, refund, credit wallets",
  events: "events of resources the key can read",
  settings: "shop, shipping and taxes",
};

/** Resources by what may be done with them; the first row is all of them but payments, which are granted by name alone. */
export const PermissionGrid = ({ form }: { form: FormState }) => (
  <Fieldset
    form={form}
    name="permissions"
    label="Permissions"
    hint="Choose at least one. Read covers GET requests; write covers POST, PUT and DELETE."
    required
  >
    <div class="permissions">
      <Row form={form} title="everything" hint="but payments" read="read" write="write" />
      {resources.map((name) => (
        <Row form={form} title={name} hint={hints[name]} read={`${name}:read`} write={`${name}:write`} />
      ))}
    </div>
  </Fieldset>
);

type RowProps = { form: FormState; title: string; hint?: string | undefined; read: string; write: string };

const Row = ({ form, title, hint, read, write }: RowProps) => (
  <div class="permission">
    <div>
      <div class="resource">{title}</div>
      {hint && <div class="muted">{hint}</div>}
    </div>
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
