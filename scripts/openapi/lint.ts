import { createConfig, lintFromString } from "@redocly/openapi-core";

/** Errors and warnings of a public linter with its recommended rules. */
export async function lint(document: string): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended"], telemetry: "off" });
  const problems = await lintFromString({ source: document, absoluteRef: "openapi.json", config });
  return problems.map(({ severity, ruleId, message, location }) => {
    return `${severity} ${ruleId} at ${location[0]?.pointer}: ${message}`;
  });
}
