import { type FormState, formFor } from "../forms/state.ts";
import { Button, LinkButton } from "../kit/buttons.tsx";
import { Checkbox, Field, Select, Textarea } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { accesses } from "./list-page.tsx";

const LIST = "/admin/files";

/** The file comes last: what is said of it has to be known before its bytes come. */
export const NewFilePage = ({ failed }: { failed: FormState | null }) => {
  const form = formFor(failed, LIST, { access: "package", published: true });
  return (
    <>
      <PageHeader title="Upload file" back={{ path: LIST, name: "Files" }} />
      <div class="card">
        <Form form={form} files>
          <FileFields form={form} hint="That of the file, if left empty." />
          <Field
            type="file"
            form={form}
            name="file"
            label="File"
            hint="Up to 100 MB; the API takes larger ones in parts."
          />
          <div class="actions">
            <Button>Upload</Button>
            <LinkButton href={LIST}>Cancel</LinkButton>
          </div>
        </Form>
      </div>
    </>
  );
};

export const FileFields = ({ form, hint }: { form: FormState; hint?: string }) => (
  <>
    <div class="columns">
      <Field form={form} name="name" label="Name" hint={hint} maxlength={200} />
      <Select form={form} name="access" label="Access" options={accesses} required />
    </div>
    <Textarea form={form} name="description" label="Description" rows={3} />
    <Checkbox form={form} name="published" label="Published" />
  </>
);
