import { iso } from "../../http/fields.ts";

const FORMAT = new Intl.DateTimeFormat("en-GB", {
  timeZone: "UTC",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});

/** A moment (epoch milliseconds) for people, in UTC; `none` where there is none. */
export const When = ({ at, none = "–" }: { at: number | null; none?: string }) =>
  at === null ? <span class="muted">{none}</span> : <time datetime={iso(at)}>{FORMAT.format(at)} UTC</time>;
