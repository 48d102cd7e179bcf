import { MAX_FILE_BYTES, type UploadRow } from "../../downloads/files/multipart-upload-schemas.ts";
import { type Failed, type FormState, formFor } from "../forms/state.ts";
import { Button, LinkButton } from "../kit/buttons.tsx";
import { Checkbox, Field, Select, Textarea } from "../kit/fields.tsx";
import { Form } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { formatBytes } from "../kit/units.ts";
import { OpenUploads } from "../uploads/open-uploads.tsx";
import { accesses } from "./list-page.tsx";

const LIST = "/admin/files";

/** The file comes last: what is said of it has to be known before its bytes come. */
export const NewFilePage = ({ open, failed }: { open: UploadRow[]; failed: Failed | null }) => {
  const form = formFor(failed, LIST, { access: "package", published: true });
  return (
    <>
      <PageHeader title="Upload file" back={{ path: LIST, name: "Files" }} />
      <OpenUploads rows={open} />
      <div class="card">
        <Form form={form} upload={`${LIST}/uploads`}>
          <FileFields form={form} hint="Leave empty to use the file's own name." />
          <FileField form={form} label="File" />
          <div class="actions">
            <Button>Upload</Button>
            <LinkButton href={LIST}>Cancel</LinkButton>
          </div>
        </Form>
      </div>
    </>
  );
};

/** Which file. Without script it is sent whole, in one request. */
export const FileField = ({ form, label, hint }: { form: FormState; label: string; hint?: string }) => (
  <Field
    type="file"
    form={form}
    name="file"
    label={label}
    hint={`${hint ? `${hint} ` : ""}Up to ${formatBytes(MAX_FILE_BYTES)}, or 100 MB in a browser without scripts.`}
    required
  />
);

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
