import type { AccountRow } from "../../users/admin-schemas.ts";
import { LinkButton } from "../kit/buttons.tsx";
import { CopyField } from "../kit/copy-field.tsx";
import { PageHeader } from "../kit/page-header.tsx";

/** The password of a new administrator, which no later page can show. */
export const NewAdministratorPage = ({ user, password }: { user: AccountRow; password: string }) => (
  <>
    <PageHeader title="New administrator" back={{ path: "/admin/customers", name: "Customers" }} />
    <div class="card">
      <p class="notice warning">
        <strong>{user.name}</strong> is an administrator now and was signed out everywhere, since anybody may have
        registered {user.email}. Hand over this new password in person: it is shown this once.
      </p>
      <CopyField id="new-password" label="New password" value={password} />
      <LinkButton href={`/admin/customers/${user.id}`} tone="primary">
        I have copied it
      </LinkButton>
    </div>
  </>
);
