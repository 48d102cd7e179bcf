import { type SQL, sql } from "drizzle-orm";
import { objectKey } from "./address.ts";

/** Keeps the uploaded images among some addresses until then, though no product shows them. */
export function keepImages(urls: string[], until: number): SQL {
  const keys = urls.flatMap((url) => /\/images\/([0-9a-f]{64})/.exec(url)?.[1] ?? []).map(objectKey);
  return sql`UPDATE orphaned_objects SET delete_at = max(delete_at, ${until})
    WHERE delete_at > 0 AND r2_key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`;
}
