import type { Schema } from "@storefront-worker/api/client";
import { AddressLines } from "../parts/address-lines.tsx";
import { Day } from "../parts/day.tsx";
import { Field } from "../parts/field.tsx";
import type { Form } from "../parts/form.ts";
import { Money } from "../parts/money.tsx";
import { Refusal } from "../parts/refusal.tsx";
import { Status } from "../parts/status.tsx";

type Profile = Schema["Profile"];

type Props = {
  profile: Profile;
  order: Schema["Order"] | undefined;
  address: Schema["AccountAddress"] | undefined;
  giftCard: Form;
};

export const Overview = ({ profile, order, address, giftCard }: Props) => (
  <>
    <h1>Hello, {profile.name}</h1>
    <Erasure profile={profile} />
    <Unverified profile={profile} />
    <div class="cards">
      <section class="panel">
        <h2>Latest order</h2>
        {order ? (
          <>
            <p>
              <a href={`/orders/${order.id}`}>{order.number}</a> <Status of={order.status} />
            </p>
            <p class="quiet">
              <Day at={order.created_at} /> · <Money amount={order.total} currency={order.currency} />
            </p>
          </>
        ) : (
          <p>
            You have no orders yet. <a href="/">See all products</a>
          </p>
        )}
      </section>
      <section class="panel" id="wallet">
        <h2>Wallet</h2>
        <p class="price large">
          <Money amount={profile.wallet_balance} currency={profile.currency} />
        </p>
        <p class="quiet">You can pay with it at checkout if it covers the whole order.</p>
        <GiftCard form={giftCard} />
      </section>
      <section class="panel">
        <h2>{address && !address.default ? "Newest address" : "Default address"}</h2>
        {address ? (
          <>
            <AddressLines address={address} />
            <p>
              <a href={`/account/addresses/${address.id}`}>Edit</a>
            </p>
          </>
        ) : (
          <p>
            <a href="/account/addresses/new">Add an address</a> to fill in the checkout faster.
          </p>
        )}
      </section>
    </div>
  </>
);

const Erasure = ({ profile: { erase_at } }: { profile: Profile }) =>
  erase_at && (
    <section class="panel notice">
      <h2>
        Your account will be erased on <Day at={erase_at} />
      </h2>
      <form method="post" action="/account/keep">
        <button type="submit">Keep my account</button>
      </form>
    </section>
  );

/** Moves the balance of a gift card to the wallet. */
const GiftCard = ({ form }: { form: Form }) => (
  <>
    <Refusal form={form} fields={["code"]} />
    <form method="post" action="/account/gift-card" class="fields">
      <Field
        form={form}
        name="code"
        label="Gift card code"
        autocomplete="off"
        autocapitalize="characters"
        maxlength={100}
      />
      <div>
        <button class="soft" type="submit">
          Redeem
        </button>
      </div>
    </form>
  </>
);

/** A pending link that was sent by e-mail. */
export const Unverified = ({ profile: { email, email_verified_at, pending_email } }: { profile: Profile }) => {
  const waiting = pending_email ?? (email_verified_at === null ? email : null);
  if (waiting === null) return null;
  return (
    <section class="panel notice">
      <h2>{pending_email ? "Confirm your new e-mail address" : "Verify your e-mail address"}</h2>
      <p>
        We sent a link to <strong>{waiting}</strong>.{" "}
        {pending_email && <>Until you open it, your account keeps the address {email}.</>}
      </p>
      <form method="post" action="/account/email/link">
        <button class="soft" type="submit">
          Send the link again
        </button>
      </form>
    </section>
  );
};
