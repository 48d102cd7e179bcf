import { readFileSync } from "node:fs";
import type { Shop } from "./shop.ts";

type Operation = { parameters?: { in: string; name: string; required?: boolean }[] };

/** Reads that differ between equal databases: the time, request counts, and exports, which are audited. */
const UNEQUAL = /\/(health|metrics|backups|usage|requests|export)/;

/** Fields that change when data is read or a user signs in. */
const WRITTEN_BY_READING =
  /"(last_used_at|last_seen_at|last_read_at|request_id|generated_at|url|download_url)":("[^"]*"|null)/g;

/** Every GET of the OpenAPI document, with ids from its list. */
async function pathsOf(shop: Shop, as: Readers): Promise<string[]> {
  const { paths }: { paths: Record<string, { get?: Operation }> } = JSON.parse(
    readFileSync("public/openapi.json", "utf8"),
  );
  const reads = Object.entries(paths)
    .filter(([path, { get }]) => get && path.startsWith("/api/v1/") && !UNEQUAL.test(path))
    .map(([path]) => path.slice("/api/v1".length));
  const found: string[] = [];
  for (const path of reads) {
    const [list = path, , rest] = path.split(/\/(\{\w+\})/);
    if (!path.includes("{")) found.push(path);
    else if (rest !== undefined && !rest.includes("{")) {
      const { body } = await read(shop, list, as);
      const rows = Array.isArray(body.data) ? body.data : [];
      found.push(
        ...rows.slice(0, 20).flatMap(({ id }: { id?: unknown }) => (id === undefined ? [] : [`${list}/${id}${rest}`])),
      );
    }
  }
  return found;
}

/** Credentials: a key for most admin routes, with a high limit, and sessions for the rest. */
export type Readers = { key: string; admin: string; customer: string };

async function read(shop: Shop, path: string, { key, admin, customer }: Readers) {
  if (!path.startsWith("/admin/")) return shop.ask(`GET ${path}`, { as: customer });
  const answer = await shop.ask(`GET ${path}`, { as: key });
  return answer.status === 403 ? shop.ask(`GET ${path}`, { as: admin }) : answer;
}

/** A shop's responses to every GET, by path. */
export async function answersOf(shop: Shop, as: Readers, paths?: Iterable<string>): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const path of paths ?? (await pathsOf(shop, as))) {
    const { status, body } = await read(shop, path, as);
    answers.set(path, `${status} ${JSON.stringify(body).replaceAll(WRITTEN_BY_READING, "")}`);
  }
  return answers;
}
