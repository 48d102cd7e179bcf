import type { packageFields } from "../../downloads/packages/fields.ts";
import { type PackageRow, packageStatus } from "../../downloads/packages/schemas.ts";
import { etagOf } from "../../platform/http/version.ts";
import { namesOf, withChosen } from "../choices.ts";
import type { Choices } from "../choices-queries.ts";
import { type Failed, formFor } from "../forms/state.ts";
import type { Initial } from "../forms/values.ts";
import { Allowed } from "../kit/allowed.tsx";
import { Badge } from "../kit/badge.tsx";
import { Button, LinkButton } from "../kit/buttons.tsx";
import { ConfirmButton } from "../kit/confirm-button.tsx";
import { formatForInput } from "../kit/dates.ts";
import { DescriptionList } from "../kit/description-list.tsx";
import { Refusal } from "../kit/error-summary.tsx";
import { Form } from "../kit/form.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { When } from "../kit/when.tsx";
import type { Names } from "../references/queries.ts";
import { Holder, Origin, Used } from "./list-page.tsx";
import { PackageFields } from "./new-page.tsx";

type Props = { row: PackageRow; names: Names; files: Choices["files"]; failed: Failed | null; now: number };

export const PackagePage = ({ row, names, files, failed, now }: Props) => {
  const path = `/admin/packages/${row.id}`;
  const isLive = row.revokedAt === null;
  return (
    <>
      <PageHeader title={row.name} back={{ path: "/admin/packages", name: "Packages" }}>
        <Badge status={packageStatus(row, now)} />
        <Allowed to="administrators">
          <LinkButton href={`/admin/audit-log?subject=package&subject_id=${row.id}`}>Audit log</LinkButton>
        </Allowed>
        {isLive && (
          <Allowed to="packages:write">
            <ConfirmButton
              form={formFor(failed, `${path}/revoke`, {}, etagOf(row.updatedAt))}
              label="Revoke"
              title={`Revoke ${row.name}?`}
              text="Downloads stop immediately, including existing download links."
            />
          </Allowed>
        )}
      </PageHeader>
      <Refusal failed={failed} offered={isLive ? [path, `${path}/revoke`] : []} />
      <section class="card">
        <DescriptionList
          facts={{
            Customer: <Holder {...row} names={names} />,
            From: <Origin {...row} names={names} />,
            Downloads: <Used {...row} />,
            Starts: <When at={row.startsAt} />,
            Expires: <When at={row.expiresAt} none="never" />,
            Revoked: row.revokedAt === null ? undefined : <When at={row.revokedAt} />,
            Files: <Files files={row.files} />,
          }}
        />
      </section>
      {isLive && (
        <section class="card">
          <h2>Extend</h2>
          <Edit row={row} files={files} failed={failed} />
        </section>
      )}
    </>
  );
};

const Files = ({ files }: Pick<PackageRow, "files">) => (
  <span>
    {files.map(({ id, name }, index) => (
      <>
        {index > 0 && ", "}
        <a href={`/admin/files/${id}`}>{name}</a>
      </>
    ))}
  </span>
);

const Edit = ({ row, files, failed }: Omit<Props, "now" | "names">) => {
  const form = formFor(
    failed,
    `/admin/packages/${row.id}`,
    {
      name: row.name,
      file_ids: row.files.map(({ id }) => id),
      download_limit: row.downloadLimit,
      expires_at: formatForInput(row.expiresAt),
    } satisfies Record<keyof typeof packageFields, Initial>,
    etagOf(row.updatedAt),
  );
  return (
    <Form form={form} needs="packages:write">
      <PackageFields form={form} files={withChosen(namesOf(files), row.files)} />
      <Button>Save package</Button>
    </Form>
  );
};
