import type { AccountRow } from "../../accounts/users/admin-schemas.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { Allowed } from "../kit/allowed.tsx";
import { ConfirmButton } from "../kit/confirm-button.tsx";
import { When } from "../kit/when.tsx";

type Props = { account: AccountRow; since: number | null; isOwn: boolean; failed: Failed | null };

/** For an account whose owner has lost the app and the recovery codes; nobody removes their own here. */
export const TwoFactor = ({ account, since, isOwn, failed }: Props) =>
  since !== null && (
    <Allowed to="administrators">
      <section class="card">
        <h2>Second factor</h2>
        <p class="muted">
          Enabled since <When at={since} />.
        </p>
        <div class="actions">
          {isOwn ? (
            <a class="button quiet" href="/admin/account">
              Your account
            </a>
          ) : (
            <ConfirmButton
              form={formFor(failed, `/admin/customers/${account.id}/two-factor/remove`)}
              label="Remove second factor"
              title={`Remove the second factor of ${account.name}?`}
              text="For customers who lost their app and recovery codes. Verify who is asking first. All sessions end, the password alone is enough to sign in, and the customer is notified by e-mail."
            />
          )}
        </div>
      </section>
    </Allowed>
  );
