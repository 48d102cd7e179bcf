import { rulesOfMoneyAndStock } from "../../scripts/restore/rules.ts";

/** Violated rules, with the rows that break them. Empty if all is well. */
export async function brokenRules(
  database: D1Database,
  rules: Record<string, string> = rulesOfMoneyAndStock,
): Promise<Record<string, unknown[]>> {
  const statements = Object.values(rules).map((query) => database.prepare(query));
  const results = await database.batch(statements);
  const broken = Object.keys(rules).map((rule, index): [string, unknown[]] => [rule, results[index]?.results ?? []]);
  return Object.fromEntries(broken.filter(([, rows]) => rows.length > 0));
}
