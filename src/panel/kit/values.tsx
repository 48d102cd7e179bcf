import type { Child } from "hono/jsx";
import { inWidth } from "../../catalogue/images/address.ts";
import type { DiscountStatus } from "../../checkout/discounts/fields.ts";
import { type Address, addressLines } from "../../domain/address.ts";
import { formatMoney } from "../../domain/money.ts";
import type { PackageStatus } from "../../downloads/packages/schemas.ts";
import type { keyStates } from "../../integrations/api-keys/admin-schemas.ts";
import type {
  emailStates,
  fulfillmentStatuses,
  jobStates,
  orderStatuses,
  paymentStatuses,
  productStatuses,
} from "../../platform/db/schema.ts";
import { type Names, readReference } from "../references.ts";
import { Allowed } from "./allowed.tsx";

/** An amount of minor units with its currency: $1,234.50. */
export const MoneyAmount = ({ minor, currency }: { minor: number; currency: string }) => (
  <span class="money">{formatMoney(minor, currency)}</span>
);

/** Formats bytes: 8,400,000 is "8.4 MB". */
export function formatBytes(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB"];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power]}`;
}

type Status =
  | (
      | typeof orderStatuses
      | typeof paymentStatuses
      | typeof fulfillmentStatuses
      | typeof productStatuses
      | typeof emailStates
      | typeof jobStates
    )[number]
  | (typeof keyStates)[number]
  | PackageStatus
  | DiscountStatus
  | "published";

type Tone = "good" | "busy" | "bad" | "calm";

const tones: Record<string, Tone> = {
  active: "good",
  completed: "good",
  fulfilled: "good",
  paid: "good",
  published: "good",
  sent: "good",
  processing: "busy",
  queued: "busy",
  running: "busy",
  pending: "busy",
  sending: "busy",
  scheduled: "busy",
  waiting: "busy",
  requires_action: "busy",
  shipped: "busy",
  unfulfilled: "busy",
  partially_fulfilled: "busy",
  unpaid: "busy",
  expired: "bad",
  exhausted: "bad",
  failed: "bad",
  disabled: "bad",
  revoked: "bad",
} satisfies Partial<Record<Status, Tone>>;

/** A status by its API name. Statuses without a tone are neutral. */
export const Badge = ({ status, tone = tones[status] ?? "calm" }: { status: string; tone?: Tone }) => (
  <span class={`badge ${tone}`}>{status.replaceAll("_", " ")}</span>
);

/** A product's first image beside its name, or an empty place. */
export const Thumbnail = ({ images: [image] }: { images: readonly { url: string }[] }) =>
  image ? (
    <img class="thumbnail" src={inWidth(image.url, 160)} alt="" width={40} height={40} loading="lazy" />
  ) : (
    <span class="thumbnail" />
  );

/** Breaks a long address at its @ rather than in a word. */
export const EmailAddress = ({ text }: { text: string }) => {
  const [person, ...hosts] = text.split("@");
  return (
    <>
      {person}
      {hosts.map((host) => (
        <>
          @<wbr />
          {host}
        </>
      ))}
    </>
  );
};

/** Formats an address line by line as on a parcel, with the phone number; in the order of `home` if it has no country. */
export const linesOfAddress = (address: Address, home?: string | null): string[] =>
  [...addressLines(address, home), address.phone ?? ""].filter(Boolean);

/** Lines of text. */
export const Lines = ({ lines }: { lines: readonly string[] }) => (
  <>
    {lines.map((line, place) => (
      <>
        {place > 0 && <br />}
        {line}
      </>
    ))}
  </>
);

/** A reference such as `product:7` by name, as a link. `otherwise` is the text if it was deleted. */
export const Reference = ({ to, names, otherwise }: { to: string; names: Names; otherwise?: string | undefined }) => {
  const known = readReference(to);
  const name = names.get(to);
  if (!known) return <span>{to}</span>;
  if (name === undefined) return <span>{otherwise ?? `${known.kind.replaceAll("_", " ")} ${known.id}`}</span>;
  return (
    <Allowed to={known.needs} otherwise={<span>{name}</span>}>
      <a href={`/admin/${known.path}/${known.id}`}>{name}</a>
    </Allowed>
  );
};

/** Terms with values. Undefined values are left out. */
export const DescriptionList = ({ facts }: { facts: Record<string, Child> }) => (
  <dl class="facts">
    {Object.entries(facts)
      .filter(([, fact]) => fact !== undefined)
      .map(([term, fact]) => (
        <div>
          <dt>{term}</dt>
          <dd>{fact ?? <span class="muted">–</span>}</dd>
        </div>
      ))}
  </dl>
);

/** Characters that fit into an input. Longer values get several lines. */
const FITS = 60;

/** A value that is shown only once, to be copied. */
export const CopyField = ({
  id,
  label,
  value,
  rows = 3,
}: {
  id: string;
  label: string;
  value: string;
  rows?: number;
}) => (
  <div class="field">
    <label for={id}>{label}</label>
    <div class="copy">
      {value.length <= FITS ? (
        <input id={id} value={value} readonly spellcheck={false} autocomplete="off" />
      ) : (
        <textarea id={id} rows={rows} readonly spellcheck={false}>
          {value}
        </textarea>
      )}
      <button type="button" class="button quiet" data-copy={id} hidden>
        Copy
      </button>
    </div>
  </div>
);
