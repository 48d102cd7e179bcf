import type { Database } from "./client.ts";

/** File names of the applied migrations, oldest first. Empty in a database that was not built by migrations. */
export async function appliedMigrations({ $client: client }: Database): Promise<string[]> {
  const table = await client.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").first();
  if (!table) return [];
  const { results } = await client.prepare("SELECT name FROM d1_migrations ORDER BY id").all<{ name: string }>();
  return results.map(({ name }) => name);
}
