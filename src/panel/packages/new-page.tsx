import { namesOf } from "../choices.ts";
import type { Choices } from "../choices-queries.ts";
import type { FormState } from "../forms/state.ts";
import { Button, LinkButton } from "../kit/buttons.tsx";
import { Checkbox, Field, Fieldset } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { PickerField } from "../kit/picker.tsx";

const LIST = "/admin/packages";

export const NewPackagePage = ({ form, files }: { form: FormState; files: Choices["files"] }) => (
  <>
    <PageHeader title="Grant package" back={{ path: LIST, name: "Packages" }} />
    <div class="card">
      <Form form={form}>
        <PickerField form={form} name="user_id" label="Customer" hint="Name, e-mail address or id." required />
        <PackageFields form={form} files={namesOf(files)} />
        <div class="actions">
          <Button>Grant package</Button>
          <LinkButton href={LIST}>Cancel</LinkButton>
        </div>
      </Form>
    </div>
  </>
);

export const PackageFields = ({ form, files }: { form: FormState; files: { id: number; name: string }[] }) => (
  <>
    <Field form={form} name="name" label="Name" hint="Shown to the customer." required maxlength={200} />
    <Fieldset form={form} name="file_ids" label="Files" hint="At least one." required>
      <div class="choices">
        {files.map(({ id, name }) => (
          <Checkbox form={form} name="file_ids" value={String(id)} label={name} />
        ))}
      </div>
    </Fieldset>
    <div class="columns">
      <Field form={form} name="download_limit" label="Downloads" inputmode="numeric" hint="Leave empty for no limit." />
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
