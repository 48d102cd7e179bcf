import { iso } from "../../domain/fields.ts";
import { formatMoment } from "./dates.ts";

/** A moment (epoch milliseconds) in UTC; `none` if null. */
export const When = ({ at, none = "–" }: { at: number | null; none?: string }) =>
  at === null ? <span class="muted">{none}</span> : <time datetime={iso(at)}>{formatMoment(at)}</time>;
