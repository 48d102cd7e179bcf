// Environments inherit few of wrangler's settings: bindings and variables must be repeated in each. This module derives
// them from the top-level deployment in wrangler.toml.

/** Settings that environments inherit. */
const INHERITED = new Set([
  ...["name", "main", "compatibility_date", "compatibility_flags", "no_bundle", "rules", "upload_source_maps", "build"],
  ...["assets", "migrations", "triggers", "observability", "limits", "placement", "account_id", "workers_dev"],
]);

/** Settings that belong to a single deployment. */
const OWN = new Set(["env", "route", "routes"]);

/** Keys whose values name a resource or a deployment, and so differ between environments. */
const NAMES = new Set(["database_name", "bucket_name", "dataset", "TOKEN_ISSUER"]);

type Value = string | number | boolean | Value[] | Table;
export type Table = { [key: string]: Value };

type Rename = (key: string, text: string) => string;

/** The environments of a configuration, by name. */
export const environmentsOf = (config: Table): Record<string, Table> => (config.env ?? {}) as Record<string, Table>;

/**
 * All settings that an environment must contain itself: those of the top-level deployment, overridden by its own
 * values. Resources are named after the environment unless it names them. A setting that was removed at the top level
 * is dropped.
 */
export function settingsOf(name: string, own: Table, above: Table): Table {
  const kept = Object.entries(own).filter(([key]) => INHERITED.has(key) || OWN.has(key));
  const merged = Object.entries(above)
    .filter(([key]) => !INHERITED.has(key) && !OWN.has(key))
    .map(([key, value]): [string, Value] => [key, merge(value, own[key], renamed(name, key))]);
  return Object.fromEntries([...kept, ...merged]);
}

const renamed =
  (environment: string, setting: string): Rename =>
  (key, text) => {
    if (!NAMES.has(key) && !(setting === "workflows" && key === "name")) return text;
    return key === "dataset" ? `${text}_${environment}` : `${text}-${environment}`;
  };

function merge(above: Value, own: Value | undefined, rename: Rename, key = ""): Value {
  if (Array.isArray(above)) {
    const mine = Array.isArray(own) ? own : [];
    return above.map((item) => {
      const same = mine.find((other) => bindingOf(other) === bindingOf(item));
      return merge(item, same, rename);
    });
  }
  if (typeof above !== "object") return own ?? (typeof above === "string" ? rename(key, above) : above);
  const mine = isTable(own) ? own : {};
  const isId = ([child]: [string, Value]) => child.endsWith("_id");
  const merged = Object.entries(above)
    .filter((entry) => !isId(entry))
    .map(([child, value]): [string, Value] => [child, merge(value, mine[child], rename, child)]);
  return Object.fromEntries([...merged, ...Object.entries(mine).filter(isId)]);
}

const isTable = (value: Value | undefined): value is Table => typeof value === "object" && !Array.isArray(value);

/** The name by which the Worker knows a resource. */
const bindingOf = (value: Value): Value | undefined => (isTable(value) ? (value.binding ?? value.name) : value);

/** Errors for resources that an environment shares with another deployment, whose data or requests it would take. */
export function sharedResources(config: Table): string[] {
  const seen = new Map<string, string>();
  const shared: string[] = [];
  for (const [name, { vars: _, ...settings }] of [["", config] as const, ...Object.entries(environmentsOf(config))]) {
    const place = name === "" ? "the deployment without --env" : `[env.${name}]`;
    if (name !== "" && hasRoutes(config) && !hasRoutes(settings))
      shared.push(`${place} would take the routes above it`);
    const { env: __, ...own } = settings;
    for (const resource of resourcesOf(own)) {
      const other = seen.get(resource);
      if (other) shared.push(`${place} and ${other} share ${resource}`);
      seen.set(resource, place);
    }
  }
  return shared;
}

const hasRoutes = ({ route, routes }: Table): boolean => route !== undefined || routes !== undefined;

const resourcesOf = (settings: Table): string[] =>
  Object.entries(settings).flatMap(([setting, value]) =>
    (Array.isArray(value) ? value : []).filter(isTable).flatMap((item) =>
      Object.entries(item)
        .filter(([key]) => NAMES.has(key) || (setting === "workflows" && key === "name"))
        .map(([key, text]) => `${key} ${JSON.stringify(text)}`),
    ),
  );

/** An environment's tables as TOML: one line for each binding and variable. */
export function toToml(name: string, settings: Table): string {
  const { vars = {}, ...others } = settings;
  const lines = Object.entries(others).map(([key, value]) =>
    isTable(value) ? `${key}.${assignments(value).join(`\n${key}.`)}` : `${key} = ${tomlOf(value, true)}`,
  );
  return [`[env.${name}]`, ...lines, "", `[env.${name}.vars]`, ...assignments(vars as Table)].join("\n");
}

const assignments = (table: Table): string[] =>
  Object.entries(table).map(([key, value]) => `${key} = ${tomlOf(value, true)}`);

function tomlOf(value: Value, isOutermost = false): string {
  if (Array.isArray(value)) {
    if (isOutermost && value.length > 1) return `[\n${value.map((item) => `  ${tomlOf(item)},`).join("\n")}\n]`;
    return `[${value.map((item) => tomlOf(item)).join(", ")}]`;
  }
  if (isTable(value)) return `{ ${assignmentsInLine(value)} }`;
  return JSON.stringify(value);
}

const assignmentsInLine = (table: Table): string =>
  Object.entries(table)
    .map(([key, value]) => `${key} = ${tomlOf(value)}`)
    .join(", ");
