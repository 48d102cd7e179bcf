import { exports } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import * as tables from "../../src/platform/db/schema.ts";
import { call, requestTo } from "./call.ts";
import { aFile, aPackage, db } from "./shop.ts";

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Bytes that differ from position to position. */
export const bytesOf = (length: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = (i * 31 + (i >> 8) * 7) & 0xff;
  return bytes;
};

type FileColumns = Parameters<typeof aFile>[0];

/** A text that is too long to be returned inline. */
export const LONG_TEXT = { mimeType: "text/plain", content: "x".repeat(64 * 1024 + 1) };

/** A file that is always delivered as a link, public by default. */
export const anArchive = (columns: FileColumns = {}) =>
  aFile({ content: bytesOf(1000), mimeType: "application/zip", fileName: "archive.zip", ...columns });

/** An archive that requires a package, and a package of the user's that contains it. */
export async function aPurchase(
  userId: number,
  columns: Parameters<typeof aPackage>[2] = {},
  file: FileColumns = {},
): Promise<{ fileId: number; packageId: number }> {
  const { id } = await anArchive({ access: "package", ...file });
  return { fileId: id, packageId: (await aPackage(userId, [id], columns)).id };
}

export const download = (fileId: number, as?: string) => call(`GET /download-file?file_id=${fileId}`, { as });

/** URL of a link to the file, created for the caller `as`. */
export async function linkTo(fileId: number, as?: string): Promise<string> {
  const { status, body } = await download(fileId, as);
  if (body.data?.kind !== "link") throw new Error(`no link: ${status} ${JSON.stringify(body)}`);
  return body.data.url;
}

/** Opens a link without reading its content. */
export const open = (url: string, options?: Parameters<typeof requestTo>[1] & { method?: string }) =>
  exports.default.fetch(requestTo(`${options?.method ?? "GET"} ${url}`, options));

/** Opens a link and reads all of its content. */
export async function follow(url: string, options?: Parameters<typeof open>[1]) {
  const response = await open(url, options);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

/** Status and reason of a refused link. */
export async function refusalOf(url: string, options?: Parameters<typeof open>[1]): Promise<[number, unknown]> {
  const { status, bytes } = await follow(url, options);
  const text = new TextDecoder().decode(bytes);
  return [status, status >= 400 ? JSON.parse(text).details : text];
}

const packageNow = (id: number) => db.select().from(tables.packages).where(eq(tables.packages.id, id)).get();

export const usedOf = async (packageId: number) => (await packageNow(packageId))?.downloadsUsed;

export const changePackage = (id: number, columns: Partial<typeof tables.packages.$inferInsert>) =>
  db.update(tables.packages).set(columns).where(eq(tables.packages.id, id));

export const changeFile = (id: number, columns: Partial<typeof tables.files.$inferInsert>) =>
  db.update(tables.files).set(columns).where(eq(tables.files.id, id));
