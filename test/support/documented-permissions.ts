import document from "../../public/openapi.json";

type Security = { ApiKey?: string[]; UserToken?: string[] }[];
type Operations = Record<string, { security: Security }>;

/** Each route of the OpenAPI document below a path, with the permission that it documents for API keys. */
export function documentedPermissions(below: string): Record<string, string | null> {
  const paths: [string, Operations][] = Object.entries(document.paths);
  return Object.fromEntries(
    paths
      .filter(([path]) => path.startsWith(below))
      .flatMap(([path, operations]) =>
        Object.entries(operations).map(([method, { security }]) => [
          `${method.toUpperCase()} ${path.slice(below.length).replaceAll(/\{(\w+)\}/g, ":$1")}`,
          security.find(({ ApiKey }) => ApiKey)?.ApiKey?.join() ?? null,
        ]),
      ),
  );
}
