import type { AccountRow } from "../../accounts/users/schemas.ts";
import { roleWords } from "../../platform/auth/roles.ts";
import { etagOf } from "../../platform/http/version.ts";
import { type FormInputs, kindsOf } from "../forms/inputs.ts";
import { text } from "../forms/kinds.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { Button, LinkButton } from "../kit/buttons.tsx";
import { When } from "../kit/dates.tsx";
import { Field } from "../kit/fields.tsx";
import { ConfirmButton, Form } from "../kit/form.tsx";
import { AuditLink, PageHeader } from "../kit/page-parts.tsx";
import { Badge, DescriptionList, EmailAddress } from "../kit/values.tsx";
import { BACK, RoleChoice, STAFF, staffRoles, staffState } from "./pages.tsx";

const allRoles = [...staffRoles, "customer"] as const;

const roleInput = {
  role: {
    as: "choices",
    label: "Role",
    options: allRoles.map((role) => [role, roleWords[role].label]),
    required: true,
    read: text,
  },
} satisfies FormInputs;
export const roleKinds = kindsOf(roleInput);

const deactivationInputs = {
  revoke_api_keys: { as: "flag", label: "Also revoke the API keys that they created" },
} satisfies FormInputs;

type MemberPageProps = { account: AccountRow; isOwn: boolean; failed: Failed | null };

/** A member of staff: role, state and security. */
export const MemberPage = ({ account, isOwn, failed }: MemberPageProps) => {
  const { id, name, email, role, lastSeenAt, twoFactorSince, createdAt, disabledAt } = account;
  const form = formFor(failed, `${STAFF}/${id}`, {
    inputs: roleInput,
    values: { role },
    etag: etagOf(account.updatedAt),
  });
  return (
    <>
      <PageHeader title={name} back={BACK} statuses={<Badge status={staffState(disabledAt)} />}>
        <AuditLink subject="user" id={id} />
        <LinkButton href={`/admin/customers/${id}/sessions`}>Sessions</LinkButton>
        <LinkButton href={`/admin/customers/${id}`}>Account and orders</LinkButton>
      </PageHeader>
      <div class="editor">
        <div>
          <section class="card">
            <Form form={form}>
              <RoleChoice form={form} offered={allRoles} />
              <Button>Save role</Button>
            </Form>
          </section>
        </div>
        <div>
          <section class="card">
            <DescriptionList
              facts={{
                "E-mail": <EmailAddress text={email} />,
                "Last seen": <When at={lastSeenAt} none="Never" />,
                "Second factor": twoFactorSince === null ? "Off" : <When at={twoFactorSince} />,
                Since: <When at={createdAt} />,
                Deactivated: disabledAt === null ? undefined : <When at={disabledAt} />,
              }}
            />
            <div class="actions">
              {disabledAt === null ? (
                <Deactivation account={account} isOwn={isOwn} failed={failed} />
              ) : (
                <Form form={formFor(failed, `${STAFF}/${id}/reactivate`)}>
                  <Button>Reactivate</Button>
                </Form>
              )}
            </div>
          </section>
        </div>
      </div>
    </>
  );
};

const Deactivation = ({ account: { id, name }, isOwn, failed }: MemberPageProps) => {
  const form = formFor(failed, `${STAFF}/${id}/deactivate`, { inputs: deactivationInputs });
  return (
    <ConfirmButton
      form={form}
      label="Deactivate"
      title={isOwn ? "Deactivate your own account?" : `Deactivate ${name}?`}
      text="All sessions end now, and nobody can sign in to the account until an administrator reactivates it. Its invitations to others end too."
    >
      <Field form={form} name="revoke_api_keys" />
    </ConfirmButton>
  );
};
