import type { AdminFileRow } from "../../downloads/files/admin-schemas.ts";
import { toUpload, type UploadRow } from "../../downloads/files/multipart-upload-schemas.ts";
import { etagOf } from "../../platform/http/version.ts";
import { versionField } from "../forms/edit.ts";
import { formFor } from "../forms/state.ts";
import { Button } from "../kit/buttons.tsx";
import { ConfirmButton } from "../kit/confirm-button.tsx";
import { DescriptionList } from "../kit/description-list.tsx";
import { Field } from "../kit/fields.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { When } from "../kit/when.tsx";
import { Purpose, Received } from "./open-uploads.tsx";

type Props = {
  upload: UploadRow;
  /** The file that it will be a version of. */
  replaced: AdminFileRow | null;
};

/** An upload that was broken off: what has come, and the ways to go on and to give it up. */
export const UploadPage = ({ upload, replaced }: Props) => {
  const path = `/admin/uploads/${upload.id}`;
  return (
    <>
      <PageHeader title={upload.fileName} back={{ path: "/admin/files", name: "Files" }}>
        <ConfirmButton
          form={formFor(null, `${path}/cancel`)}
          label="Cancel upload"
          title={`Cancel the upload of ${upload.fileName}?`}
          text="Deletes the received part of the file."
        />
      </PageHeader>
      <section class="card">
        <DescriptionList
          facts={{
            For: <Purpose {...upload} />,
            Received: <Received {...upload} />,
            Begun: <When at={upload.createdAt} />,
            "Kept until": <When at={upload.expiresAt} />,
          }}
        />
        <Continue upload={upload} replaced={replaced} />
      </section>
    </>
  );
};

/** A browser forgets which file it was: it is chosen again. */
const Continue = ({ upload, replaced }: Props) => (
  <>
    <noscript>
      <p>Continuing an upload requires scripts, which are off in this browser.</p>
    </noscript>
    <form class="form" data-upload="" data-open={JSON.stringify(toUpload(upload))} hidden>
      {replaced && <input type="hidden" name={versionField} value={etagOf(replaced.updatedAt)} />}
      <Field
        type="file"
        form={formFor(null, `/admin/uploads/${upload.id}`)}
        name="file"
        label={`Choose ${upload.fileName} again`}
        hint="Resumes where the upload stopped."
        required
      />
      <Button>Continue upload</Button>
    </form>
  </>
);
