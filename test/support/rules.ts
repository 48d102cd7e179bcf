import { rulesOfMoneyAndStock } from "../../scripts/restore/rules.ts";

/** The rules that do not hold, with the rows that break them; empty when all is well. */
export async function brokenRules(
  database: D1Database,
  rules: Record<string, string> = rulesOfMoneyAndStock,
): Promise<Record<string, unknown[]>> {
  const statements = Object.values(rules).map((query) => database.prepare(query));
  const results = await database.batch(statements);
  const broken = Object.keys(rules).map((rule, index): [string, unknown[]] => [rule, results[index]?.results ?? []]);
  return Object.fromEntries(broken.filter(([, rows]) => rows.length > 0));
}
