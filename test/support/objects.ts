type Storage = Pick<Env, "DB" | "FILES">;

/** The key of the object from which another was made, or the key itself. */
const originalOf = (key: string) => /^derived\/(.*)\/[^/]+$/.exec(key)?.[1] ?? key;

/** Objects that no row refers to, and files and images whose object is missing. */
export async function strayObjects({ DB, FILES }: Storage): Promise<{ lost: string[]; missing: string[] }> {
  const shown = "(SELECT 'images/' || sha256 AS r2_key FROM images WHERE id IN (SELECT image_id FROM product_images))";
  const tables = ["files", shown, "orphaned_objects"];
  const [keys, results] = await Promise.all([
    storedKeys(FILES),
    DB.batch<{ r2_key: string }>(tables.map((table) => DB.prepare(`SELECT r2_key FROM ${table}`))),
  ]);
  const [ofFiles = [], ofImages = [], deleted = []] = results.map(({ results: rows }) =>
    rows.map(({ r2_key }) => r2_key),
  );
  const stored = new Set(keys);
  const held = new Set([...ofFiles, ...ofImages]);
  const orphaned = new Set(deleted);
  return {
    lost: keys.filter((key) => !held.has(originalOf(key)) && !orphaned.has(originalOf(key))),
    missing: [...held].filter((key) => !stored.has(key)),
  };
}

/** The keys of all objects, in order. */
export async function storedKeys(bucket: R2Bucket): Promise<string[]> {
  const keys: string[] = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await bucket.list(cursor === undefined ? {} : { cursor });
    keys.push(...page.objects.map(({ key }) => key));
    more = page.truncated;
    cursor = page.truncated ? page.cursor : undefined;
  }
  return keys.sort();
}
