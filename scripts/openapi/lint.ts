import { createConfig, lintFromString } from "@redocly/openapi-core";

/** Errors and warnings of a public linter with its recommended rules. */
export async function lint(document: string): Promise<string[]> {
  // ./examples/fit.ts checks examples more strictly.
  const rules = { "no-invalid-media-type-examples": "off" } as const;
  const config = await createConfig({ extends: ["recommended"], rules, telemetry: "off" });
  const problems = await lintFromString({ source: document, absoluteRef: "openapi.json", config });
  return problems.map(({ severity, ruleId, message, location }) => {
    return `${severity} ${ruleId} at ${location[0]?.pointer}: ${message}`;
  });
}
