import type { AccountRow } from "../../accounts/users/admin-schemas.ts";
import { LinkButton } from "../kit/buttons.tsx";
import { CopyField } from "../kit/copy-field.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { roles } from "./list-page.tsx";

/** The password of a new member of staff, which no later page can show. */
export const NewStaffPage = ({ user, password }: { user: AccountRow; password: string }) => (
  <>
    <PageHeader title="New member of staff" back={{ path: "/admin/customers", name: "Customers" }} />
    <div class="card">
      <p class="notice warning">
        <strong>{user.name}</strong> has the role {roles.get(user.role)} now and was signed out everywhere, since anyone
        may have registered {user.email}. Hand over this new password in person. It is shown only once.
      </p>
      <CopyField id="new-password" label="New password" value={password} />
      <LinkButton href={`/admin/customers/${user.id}`} tone="primary">
        I have copied it
      </LinkButton>
    </div>
  </>
);
