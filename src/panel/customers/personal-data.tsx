import type { AccountRow } from "../../accounts/users/schemas.ts";
import { type Failed, formFor } from "../forms/state.ts";
import { Allowed } from "../kit/allowed.tsx";
import { Button } from "../kit/buttons.tsx";
import { When } from "../kit/dates.tsx";
import { ConfirmButton, Form } from "../kit/form.tsx";

type PersonalDataProps = { account: AccountRow; failed: Failed | null };

/** Export and erasure of a customer's personal data. */
export const PersonalDataSection = ({ account, failed }: PersonalDataProps) => (
  <Allowed to="administrators">
    <section class="card">
      <h2>Personal data</h2>
      <State {...account} />
      <div class="actions">
        <a class="button quiet" href={`/admin/customers/${account.id}/export`}>
          Export as JSON
        </a>
        {account.role === "customer" && account.erasedAt === null && <Erasure account={account} failed={failed} />}
      </div>
    </section>
  </Allowed>
);

const State = ({ eraseAt, erasedAt }: AccountRow) => {
  if (erasedAt !== null) {
    return (
      <p>
        Erased on <When at={erasedAt} />. Orders and the ledger stay, without a name or an address.
      </p>
    );
  }
  if (eraseAt === null) return <p class="muted">All personal data stored about this customer.</p>;
  return (
    <p class="notice warning">
      Will be erased on <When at={eraseAt} />, once the wallet is empty and no order is open. Until then, you or the
      customer can undo it.
    </p>
  );
};

const Erasure = ({ account, failed }: PersonalDataProps) => {
  const path = `/admin/customers/${account.id}`;
  if (account.eraseAt !== null) {
    return (
      <Form form={formFor(failed, `${path}/restore`)}>
        <Button>Keep account</Button>
      </Form>
    );
  }
  return (
    <ConfirmButton
      form={formFor(failed, `${path}/erase`)}
      label="Erase account"
      title={`Erase the account of ${account.name}?`}
      text="Ends all sessions now. Name, addresses and messages are deleted permanently in seven days; orders and transactions stay in the books."
    />
  );
};
