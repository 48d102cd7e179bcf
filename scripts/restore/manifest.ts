import { timingSafeEqual } from "node:crypto";
import * as z from "zod";
import {
  type BackedUpTable,
  folderOf,
  type Manifest,
  macOf,
  type Part,
  partKey,
} from "../../src/back-office/backups/manifest.ts";

const PartShape = z.object({
  key: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().positive(),
  lines: z.int().positive(),
});
const count = z.int().nonnegative();

const Shape = z.object({
  format: z.literal(1),
  id: z.string(),
  moment: count,
  startedAt: count,
  finishedAt: count,
  job: z.object({ id: z.int(), done: count }),
  migrations: z.array(z.string()),
  schema: z.string(),
  tables: z.array(
    z.object({
      name: z.string().regex(/^\w+$/),
      columns: z.array(z.string().regex(/^\w+$/)),
      rows: count,
      parts: z.array(PartShape),
      changes: z.array(PartShape),
      present: z.array(PartShape).nullable(),
    }),
  ),
  sequences: z.record(z.string(), count),
  derived: z.array(z.string()),
  rows: count,
  bytes: count,
  objects: z.object({ count, bytes: count, parts: z.array(PartShape) }),
  needs: z.string(),
});

/** A part with the name of its contents. `name` is its key without the hash. */
export type NamedPart = { part: Part; name: string; of: string };

/** All parts of a backup. Their names follow from their place in the manifest. */
export const partsOf = ({ id, tables, objects }: Manifest): NamedPart[] => [
  ...tables.flatMap(({ name, parts, changes, present }) => {
    const of = `table ${name}`;
    return [
      ...named(parts, `${folderOf(id)}${name}`, of),
      ...named(changes, `${folderOf(id)}${name}-changes`, of),
      ...named(present ?? [], `${folderOf(id)}${name}-present`, of),
    ];
  }),
  ...named(objects.parts, `${folderOf(id)}objects`, "list of objects"),
];

const named = (parts: Part[], name: string, of: string): NamedPart[] =>
  parts.map((part, n) => ({ part, name: `${name}-${n}`, of }));

/** The secrets that verify a manifest. Null restores it unverified. */
export type Verification = readonly string[] | null;

/** Reads the manifest of a backup. Throws unless this shop wrote it and a backup may contain all that it names. */
export function readManifest(bytes: Uint8Array, id: string, secrets: Verification): Manifest {
  const { mac, ...content } = parse(bytes, id);
  if (content.format !== 1)
    throw new Error(`The backup has format ${content.format}, which this version does not know.`);
  const { success, data: manifest, error } = Shape.safeParse(content);
  if (!success) {
    const [issue] = error.issues;
    throw new Error(`The manifest of the backup ${id} is damaged: ${issue?.path.join(".")}: ${issue?.message}.`);
  }
  if (secrets && !isGenuine(content, mac, secrets)) {
    throw new Error(
      `LINK_SECRET does not verify the manifest of the backup ${id}: it was changed, or made under another secret or before 1.0.1. With --unverified it is restored as it is.`,
    );
  }
  const wrong = faultOf(manifest, id);
  if (wrong) throw new Error(`The manifest of the backup ${id} is damaged: ${wrong}.`);
  return manifest;
}

const Json = z.record(z.string(), z.unknown());

function parse(bytes: Uint8Array, id: string): z.output<typeof Json> {
  try {
    return Json.parse(JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)));
  } catch {
    throw new Error(`The manifest of the backup ${id} is damaged: it is not a JSON object.`);
  }
}

/** The MAC covers the manifest as it was written, with fields that this version does not know. */
function isGenuine(content: object, mac: unknown, secrets: readonly string[]): boolean {
  const sent = Buffer.from(String(mac));
  return secrets.some((secret) => {
    const due = Buffer.from(macOf(content, secret));
    return sent.length === due.length && timingSafeEqual(sent, due);
  });
}

/** The first contradiction in a manifest. */
function faultOf(manifest: Manifest, id: string): string | undefined {
  const { tables, rows, bytes, objects } = manifest;
  if (manifest.id !== id) return `it is that of ${manifest.id}`;
  const names = tables.map(({ name }) => name);
  const twice = names.find((name, n) => names.indexOf(name) !== n);
  if (twice) return `it has the table ${twice} twice`;
  const misnamed = partsOf(manifest).find(({ part, name }) => part.key !== partKey(name, part.sha256));
  if (misnamed) return `a part of the ${misnamed.of} has the key ${JSON.stringify(misnamed.part.key)}`;
  if (sum(tables, (table) => table.rows) !== rows) return "its tables do not add up to its rows";
  if (sum(tables.flatMap(partsOfTable), (part) => part.bytes) !== bytes) return "its parts do not add up to its bytes";
  if (sum(objects.parts, ({ lines }) => lines) !== objects.count) return "its list of objects has another length";
  return undefined;
}

const partsOfTable = ({ parts, changes, present }: BackedUpTable): Part[] => [...parts, ...changes, ...(present ?? [])];

const sum = <Item>(items: Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0);
