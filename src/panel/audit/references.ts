import type { AuditRow } from "../../platform/audit/schemas.ts";

/** The fields of a state that hold ids, by what they are ids of. */
const kinds: Record<string, string> = {
  category_id: "category",
  category_ids: "category",
  file_ids: "file",
  order_id: "order",
  product_ids: "product",
  user_id: "user",
};

/** `category:3`, where a state says `"category_id": 3`. */
export const referencesIn = (state: AuditRow["before"]): string[] =>
  Object.entries(state ?? {}).flatMap(([field, value]) =>
    [value].flat().flatMap((id) => (field in kinds && typeof id === "number" ? [`${kinds[field]}:${id}`] : [])),
  );

/** All that a row of the log refers to. */
export const referencesOf = ({ actor, subject, subjectId, before, after }: AuditRow): string[] => [
  actor,
  `${subject}:${subjectId}`,
  ...referencesIn(before),
  ...referencesIn(after),
];
