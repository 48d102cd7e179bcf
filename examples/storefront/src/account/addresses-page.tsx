import type { Schema } from "@storefront-worker/api/client";
import { AddressLines } from "../parts/address-lines.tsx";

type Address = Schema["AccountAddress"];

export const AddressesPage = ({ addresses }: { addresses: Address[] }) => (
  <>
    <h1>Addresses</h1>
    {addresses.length === 0 ? (
      <p class="panel">You have no addresses yet. Add one to fill in the checkout faster.</p>
    ) : (
      <ul class="cards">
        {addresses.map((address) => (
          <li class="panel">
            <Entry address={address} />
          </li>
        ))}
      </ul>
    )}
    <p>
      <a class="button" href="/account/addresses/new">
        Add an address
      </a>
    </p>
  </>
);

const Entry = ({ address }: { address: Address }) => {
  const { id, address: street, default: isDefault } = address;
  return (
    <>
      {isDefault && <p class="status good">Default</p>}
      <AddressLines address={address} />
      <div class="choices">
        <a class="button soft" href={`/account/addresses/${id}`} aria-label={`Edit ${street}`}>
          Edit
        </a>
        {!isDefault && (
          <form method="post" action={`/account/addresses/${id}/default`}>
            <button class="soft" type="submit" aria-label={`Make default: ${street}`}>
              Make default
            </button>
          </form>
        )}
      </div>
      <details class="confirm">
        <summary aria-label={`Delete ${street}`}>Delete</summary>
        <form method="post" action={`/account/addresses/${id}/delete`}>
          <button class="danger" type="submit">
            Yes, delete this address
          </button>
        </form>
      </details>
    </>
  );
};
