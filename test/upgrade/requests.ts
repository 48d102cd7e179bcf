import document from "../../public/openapi.json";
import { type JsonSchema, operationsOf } from "../../scripts/openapi/shape.ts";

/** Number of rows in a list that are read individually. */
const ROWS = 2;

type Row = { id?: number | string; can_download?: boolean };
type Ask = (caller: string, line: string) => Promise<{ body: { data?: unknown } }>;

/** A link that is signed anew for each request cannot be recorded. */
const UNKNOWN_TOKENS = ["followDownloadLink"];

const operations = [...operationsOf(document as never).values()].filter(
  ({ method, operationId }) => method === "get" && !UNKNOWN_TOKENS.includes(operationId),
);

/** A request line for each GET of the OpenAPI document with the shop's ids, and one for each status and sort order. */
export async function everyGet(ask: Ask): Promise<string[]> {
  const lines: string[] = [];
  for (const { path, parameters = [] } of operations) {
    const paths = await withIds(path, ask);
    const choices = path.includes("/exports/") ? [] : parameters.flatMap(choicesOf);
    lines.push(...paths, ...paths.slice(0, 1).flatMap((one) => choices.map((choice) => one + choice)));
  }
  return lines.map((path) => `GET https://shop.test${path}`);
}

const choicesOf = ({ name, schema }: { name: string; schema?: JsonSchema }): string[] =>
  name === "sort" || name === "status" ? (schema?.enum ?? []).map((value) => `?${name}=${value}`) : [];

async function withIds(path: string, ask: Ask): Promise<string[]> {
  if (path.endsWith("{format}")) return ["csv", "ndjson"].map((format) => path.replace("{format}", format));
  if (path.endsWith("/download-file")) {
    const ids = await idsAt("/api/v1/user/files", ask, (file) => file.can_download === true);
    return ids.map((id) => `${path}?file_id=${id}`);
  }
  const [list = "", rest] = path.split(/\/\{\w+\}/);
  if (rest === undefined) return [path];
  return (await idsAt(list, ask)).map((id) => `${list}/${id}${rest}`);
}

async function idsAt(list: string, ask: Ask, isWanted: (row: Row) => boolean = () => true): Promise<Row["id"][]> {
  const caller = list.includes("/admin/") ? "administrator" : "customer";
  const { data } = (await ask(caller, `GET https://shop.test${list}`)).body;
  const ids = rowsOf(data)
    .filter(isWanted)
    .map(({ id }) => id);
  return ids.filter((id) => id !== undefined).slice(0, ROWS);
}

/** The rows of a list, or of the list within an overview. */
const rowsOf = (data: unknown): Row[] => {
  const lists = [data, ...Object.values(data ?? {})];
  return lists.find((value) => Array.isArray(value)) ?? [];
};
