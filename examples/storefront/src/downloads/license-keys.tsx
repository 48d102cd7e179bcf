import type { Schema } from "@storefront-worker/api/client";
import { Day } from "../parts/day.tsx";
import { Status } from "../parts/status.tsx";

/** A key of an account, or of the order that a guest's link shows. */
export type ShownLicenseKey = Omit<Schema["LicenseKey"], "order_id" | "instances">;

export const LicenseKeys = ({ keys }: { keys: ShownLicenseKey[] }) =>
  keys.length > 0 && (
    <section class="panel">
      <h2>License keys</h2>
      <ul class="rows">
        {keys.map((one) => (
          <li>
            <span class="what">
              <strong dir="auto">{one.name}</strong>
              <code class="key">{one.key}</code>
              <span class="quiet">{one.status === "active" ? <Terms of={one} /> : <Status of={one.status} />}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );

const Terms = ({ of: { activations, activation_limit, expires_at, updates_until } }: { of: ShownLicenseKey }) => (
  <>
    Active on {activations} of {activation_limit} {activation_limit === 1 ? "device" : "devices"}
    {expires_at !== null && (
      <>
        , until <Day at={expires_at} />
      </>
    )}
    {updates_until !== null && (
      <>
        , updates until <Day at={updates_until} />
      </>
    )}
  </>
);
