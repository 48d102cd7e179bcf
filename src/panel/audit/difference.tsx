import type { Child } from "hono/jsx";
import * as z from "zod";
import type { AuditRow } from "../../platform/audit/schemas.ts";
import { fieldLabel } from "../forms/inputs.ts";
import { When } from "../kit/dates.tsx";
import { Reference } from "../kit/values.tsx";
import type { Names } from "../references.ts";

type State = AuditRow["before"];

/** Each changed field, before and after. */
export const ChangedFields = ({ before, after, names }: AuditRow & { names: Names }) => {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <details class="difference">
      <summary>{summary(fields.map(fieldLabel))}</summary>
      <dl>
        {fields.map((field) => (
          <div>
            <dt>{fieldLabel(field)}</dt>
            <dd>
              {before && (
                <del>
                  <Value field={field} value={before[field]} names={names} />
                </del>
              )}{" "}
              {after && (
                <ins>
                  <Value field={field} value={after[field]} names={names} />
                </ins>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
};

const summary = (labels: string[]): string =>
  labels.length > 3 ? `${labels.slice(0, 2).join(", ")} and ${labels.length - 2} more` : labels.join(", ");

const Value = ({ field, value, names }: { field: string; value: unknown; names: Names }) => {
  const references = referencesIn({ [field]: value });
  if (references.length === 0) return <>{shown(value, field)}</>;
  return references.map((to, index) => (
    <>
      {index > 0 && ", "}
      <Reference to={to} names={names} />
    </>
  ));
};

/** Names can look like times, so a match must also be a valid date. */
const Instant = z.iso.datetime();

/** Fields whose values are words of the API. All others are typed by people. */
const VOCABULARIES = [
  "access",
  "fulfillment_status",
  "kind",
  "payment_status",
  "role",
  "status",
  "template",
  "tier",
  "type",
  "vat",
];

/** A value in readable form: "yes", a date, or the parts of an object by name. */
function shown(value: unknown, field: string): Child {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") {
    if (Instant.safeParse(value).success) return <When at={Date.parse(value)} />;
    return VOCABULARIES.includes(field) ? value.replaceAll("_", " ") : value;
  }
  if (typeof value !== "object") return String(value);
  const isList = Array.isArray(value);
  const parts = Object.entries(value).filter(([, part]) => part !== null);
  if (parts.length === 0) return "none";
  return parts.map(([name, part], index) => (
    <>
      {index > 0 && (isList && typeof part === "object" ? "; " : ", ")}
      {!isList && `${fieldLabel(name).toLowerCase()} `}
      {shown(part, isList ? field : name)}
    </>
  ));
}

/** Kinds of the ids in a state, by field. */
const referencedKinds: Record<string, string> = {
  category_id: "category",
  category_ids: "category",
  file_id: "file",
  file_ids: "file",
  order_id: "order",
  product_ids: "product",
  user_id: "user",
  zone_id: "shipping_zone",
};

/** Returns `category:3` for a state with `"category_id": 3`. */
const referencesIn = (state: State): string[] =>
  Object.entries(state ?? {}).flatMap(([field, value]) =>
    [value]
      .flat()
      .flatMap((id) => (field in referencedKinds && typeof id === "number" ? [`${referencedKinds[field]}:${id}`] : [])),
  );

/** Returns all references of a log entry. */
export const referencesOf = ({ actor, subject, subjectId, before, after }: AuditRow): string[] => [
  actor,
  `${subject}:${subjectId}`,
  ...referencesIn(before),
  ...referencesIn(after),
];
