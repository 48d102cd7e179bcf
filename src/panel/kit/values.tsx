import type { Child, PropsWithChildren } from "hono/jsx";
import type { stateOf } from "../../back-office/imports/schemas.ts";
import { inWidth } from "../../catalogue/images/address.ts";
import type { DiscountStatus } from "../../checkout/discounts/fields.ts";
import { type Address, addressLines } from "../../domain/address.ts";
import { htmlOfMarkdown } from "../../domain/markdown.ts";
import { formatMoney, shopCurrency } from "../../domain/money.ts";
import type { PackageStatus } from "../../downloads/packages/schemas.ts";
import type { keyStates } from "../../integrations/api-keys/admin-schemas.ts";
import type { deliveryStates } from "../../integrations/webhooks/delivery/rows.ts";
import type {
  emailStates,
  fulfillmentStatuses,
  jobStates,
  orderStatuses,
  paymentStatuses,
  productStatuses,
  returnStatuses,
} from "../../platform/db/schema.ts";
import { type Names, readReference } from "../references.ts";
import { Allowed } from "./allowed.tsx";

/** An amount of minor units with its currency, by default the shop's: $1,234.50. */
export const MoneyAmount = ({ minor, currency = shopCurrency() }: { minor: number; currency?: string }) => (
  <span class="money">{formatMoney(minor, currency)}</span>
);

/** The lowest and the highest of several prices: $5.00–$8.00. `max` is null for a single price. */
export const PriceRange = ({ min, max }: { min: number; max: number | null }) => (
  <>
    <MoneyAmount minor={min} />
    {max !== null && max > min && (
      <>
        –<wbr />
        <MoneyAmount minor={max} />
      </>
    )}
  </>
);

/** Formats bytes: 8,400,000 is "8.4 MB". */
export function formatBytes(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB"];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power]}`;
}

/** `good` is as it should be, `busy` waits for a person, `moving` progresses by itself, `bad` failed or was revoked. */
type Tone = "good" | "busy" | "moving" | "bad" | "calm";

type StoredStatus =
  | (
      | typeof orderStatuses
      | typeof paymentStatuses
      | typeof fulfillmentStatuses
      | typeof productStatuses
      | typeof returnStatuses
      | typeof emailStates
      | typeof jobStates
      | typeof keyStates
      | typeof deliveryStates
    )[number]
  | ReturnType<typeof stateOf>
  | PackageStatus
  | DiscountStatus;

/** The tone of each status. `calm` is for ended or inactive records. */
const tones = {
  active: "good",
  connected: "good",
  clear: "good",
  "completed with failures": "busy",
  fulfilled: "good",
  offered: "good",
  paid: "good",
  placed: "good",
  published: "good",
  sent: "good",
  succeeded: "good",
  "not connected": "busy",
  partially_fulfilled: "busy",
  pending: "busy",
  past_due: "busy",
  processing: "busy",
  ready: "busy",
  received: "busy",
  requested: "busy",
  requires_action: "busy",
  "test mode": "busy",
  unfulfilled: "busy",
  unpaid: "busy",
  unused: "busy",
  warning: "busy",
  checking: "moving",
  queued: "moving",
  running: "moving",
  scheduled: "moving",
  sending: "moving",
  approved: "moving",
  in_transit: "moving",
  shipped: "moving",
  waiting: "moving",
  deactivated: "bad",
  disabled: "bad",
  failed: "bad",
  failing: "bad",
  overdue: "bad",
  revoked: "bad",
  stuck: "bad",
  "sold out": "bad",
  "switched off": "bad",
  unreadable: "bad",
  urgent: "bad",
  cancelled: "calm",
  completed: "calm",
  current: "calm",
  declined: "calm",
  redeemed: "calm",
  default: "calm",
  draft: "calm",
  open: "calm",
  ended: "calm",
  exhausted: "calm",
  expired: "calm",
  new: "calm",
  not_required: "calm",
  "not offered": "calm",
  "not published": "calm",
  partially_refunded: "calm",
  refunded: "calm",
  settled: "calm",
  undone: "calm",
  updated: "calm",
  used_up: "calm",
} satisfies Record<StoredStatus, Tone> & Record<string, Tone>;

type BadgeProps = PropsWithChildren<{ status: keyof typeof tones; tone?: Tone; isSecond?: boolean }>;

/** A status by its API name, followed by the children. A second one in a row is a dot with text. */
export const Badge = ({ status, tone = tones[status], isSecond = false, children }: BadgeProps) => (
  <span class={`badge ${tone}${isSecond ? " dot" : ""}`}>
    {status.replaceAll("_", " ")}
    {children}
  </span>
);

/** A product's first image next to its name, or the name's initials. */
export const Thumbnail = ({ images: [image], name }: { images: readonly { url: string }[]; name: string }) =>
  image ? (
    <img class="thumbnail" src={inWidth(image.url, 160)} alt="" width={40} height={40} loading="lazy" />
  ) : (
    <span class="thumbnail" aria-hidden="true">
      {initialsOf(name)}
    </span>
  );

/** A link to a product, with its picture. */
export const ProductLink = (product: { id: number; name: string; images: readonly { url: string }[] }) => (
  <a class="pictured" href={`/admin/products/${product.id}`}>
    <Thumbnail {...product} />
    {product.name}
  </a>
);

/** The first characters of a name's first two words: "FP" for "Field Pack", "和" for "和紙". */
export const initialsOf = (name: string): string =>
  [...name.matchAll(/(?<![\p{L}\p{N}]['’]?)[\p{L}\p{N}]\p{M}*/gu)]
    .slice(0, 2)
    .map(([first]) => first.toUpperCase())
    .join("");

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

/** A buyer's account. Null for a guest. */
export const CustomerReference = ({ userId, names }: { userId: number | null; names: Names }) =>
  userId === null ? <span class="muted">guest</span> : <Reference to={`user:${userId}`} names={names} />;

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

/** Maximum characters shown in an input. Longer values get several lines. */
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

/** A text in Markdown, with its formatting. */
export const FormattedText = ({ markdown, hidden }: { markdown: string; hidden?: true }) => (
  <div class="formatted" hidden={hidden} dangerouslySetInnerHTML={{ __html: htmlOfMarkdown(markdown) }} />
);
