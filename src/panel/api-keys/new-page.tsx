import { type Failed, type FormState, formFor } from "../forms/state.ts";
import { Button, LinkButton } from "../kit/buttons.tsx";
import { Field, Select } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { tiers } from "./list-page.tsx";
import { PermissionGrid } from "./permission-grid.tsx";

const LIST = "/admin/api-keys";

export const NewApiKeyPage = ({ failed }: { failed: Failed | null }) => {
  const form = formFor(failed, LIST, { tier: "standard" });
  return (
    <>
      <PageHeader title="Create New API Key" back={{ path: LIST, name: "API Manager" }} />
      <div class="card">
        <Form form={form}>
          <KeyFields form={form} />
          <div class="actions">
            <Button>Create New API Key</Button>
            <LinkButton href={LIST}>Cancel</LinkButton>
          </div>
        </Form>
      </div>
    </>
  );
};

export const KeyFields = ({ form }: { form: FormState }) => (
  <>
    <Field
      form={form}
      name="name"
      label="Name"
      hint="For example, the server that will use it."
      required
      maxlength={100}
    />
    <PermissionGrid form={form} />
    <div class="columns">
      <Select form={form} name="tier" label="Tier" options={tiers} required />
      <Field
        form={form}
        name="expires_at"
        label="Expires (UTC)"
        type="datetime-local"
        hint="Leave empty for a key that never expires."
      />
    </div>
  </>
);
