import { and, desc, eq, getTableColumns, isNotNull, type SQL, sql } from "drizzle-orm";
import { jwtVerify, SignJWT } from "jose";
import { fieldError, forbidden } from "../../../domain/errors.ts";
import { type Caller, callerName, seesDrafts } from "../../../platform/auth/caller.ts";
import { permissionsFor } from "../../../platform/auth/roles.ts";
import type { Database } from "../../../platform/db/client.ts";
import { json } from "../../../platform/db/json.ts";
import { type PageOf, readPage } from "../../../platform/db/page.ts";
import { files } from "../../../platform/db/schema.ts";
import type { PageQuery } from "../../../platform/http/pagination.ts";
import type { Secrets } from "../../../platform/settings/settings.ts";
import type { HeldPackage } from "../../packages/public.ts";
import { type Downloader, holderName } from "../access.ts";
import type { FileContent, FileRow, ListedFile } from "../schemas.ts";

/** Ids of the products that sell the file, limited to those the caller can see. */
const productIds = (caller: Downloader): SQL<number[]> =>
  json<number[]>(sql`(
    SELECT json_group_array(product_id ORDER BY product_id) FROM product_files JOIN products ON products.id = product_id
    WHERE file_id = files.id AND (status = 'active' OR ${caller.kind !== "guest_order" && seesDrafts(caller)})
  )`);

const packageFacts = sql`json_object('id', id, 'downloadLimit', download_limit, 'downloadsUsed', downloads_used,
  'expiresAt', expires_at, 'revokedAt', revoked_at)`;

/** The caller's packages with the file: the first to lapse per status, running or expired. Their number stays bounded. */
const heldBy = (caller: Downloader, now: number): SQL<HeldPackage[]> => {
  if (caller.kind === "guest_order") {
    return json<HeldPackage[]>(sql`(
      SELECT json_group_array(${packageFacts}) FROM packages WHERE order_id = ${caller.id} AND user_id IS NULL
        AND EXISTS (SELECT 1 FROM package_files WHERE package_id = packages.id AND file_id = files.id)
    )`);
  }
  const firstOfEachStanding = (expiry: SQL) => sql`
    SELECT (
      SELECT package_id FROM package_files AS held JOIN packages AS begun ON begun.id = package_id AND starts_at <= ${now}
      WHERE held.user_id = ${caller.kind === "user" ? caller.id : null} AND file_id = files.id
        AND standing = standings.column1 AND held.expires_at ${expiry}
      ORDER BY held.expires_at, package_id LIMIT 1
    ) FROM (VALUES (0), (1), (2), (3)) AS standings`;
  return json<HeldPackage[]>(sql`(
    SELECT json_group_array(${packageFacts}) FROM packages
    WHERE id IN (${firstOfEachStanding(sql`> ${now}`)} UNION ALL ${firstOfEachStanding(sql`<= ${now}`)})
  )`);
};

/** Limits to published files. Callers without a credential see public files only. */
const visible = (caller: Downloader): SQL | undefined =>
  and(isNotNull(files.publishedAt), caller.kind === "anonymous" ? eq(files.access, "public") : undefined);

const selectFiles = (db: Database, caller: Downloader, now: number) =>
  db.select({ ...getTableColumns(files), productIds: productIds(caller), held: heldBy(caller, now) }).from(files);

/** Lists files, newest first, with the total, in one round trip. */
export function listFiles(db: Database, caller: Caller, query: PageQuery, now: number): Promise<PageOf<ListedFile>> {
  const where = visible(caller);
  const rows = selectFiles(db, caller, now).where(where).orderBy(desc(files.createdAt), desc(files.id));
  return readPage(db, query, rows, files, where);
}

export const findFile = (db: Database, caller: Downloader, id: number, now: number): Promise<ListedFile | undefined> =>
  selectFiles(db, caller, now)
    .where(and(eq(files.id, id), visible(caller)))
    .get();

/**
 * Target of a link: its file if the holder still has access, the earlier content if it was replaced, the package, and whether
 * the download was counted.
 */
export type LinkTarget = { file: FileRow; replaced: FileContent | null; held: HeldPackage | null; counted: boolean };

export const findLinkTarget = (db: Database, link: DownloadLink, now: number): Promise<LinkTarget | undefined> =>
  db
    .select({
      file: getTableColumns(files),
      replaced: json<FileContent | null>(sql`(
        SELECT json_object('fileName', file_name, 'mimeType', mime_type, 'sizeBytes', size_bytes, 'sha256', sha256,
          'r2Key', r2_key, 'version', version)
        FROM replaced_versions WHERE file_id = ${link.fileId} AND version = ${link.version}
      )`),
      held: json<HeldPackage | null>(sql`(
        SELECT ${packageFacts} FROM packages
        WHERE id = ${link.packageId} AND EXISTS (SELECT 1 FROM package_files WHERE package_id = packages.id AND file_id = files.id)
      )`),
      counted: sql`EXISTS (SELECT 1 FROM downloads WHERE id = ${link.id})`.mapWith(Boolean),
    })
    .from(files)
    .where(and(eq(files.id, link.fileId), isNotNull(files.publishedAt), welcome(link, now)))
    .get();

/** The link's holder must still have access: signed in to that session and not disabled, or a key that may read files. */
function welcome({ holder, sessionId, packageId }: DownloadLink, now: number): SQL | undefined {
  const [kind, id] = holder.split(":");
  if (kind === "user") {
    return sql`EXISTS (
      SELECT 1 FROM users JOIN sessions ON user_id = users.id
      WHERE users.id = ${Number(id)} AND disabled_at IS NULL AND sessions.id = ${sessionId} AND ended_at IS NULL
    )`;
  }
  if (kind === "guest_order") {
    // The packages may have come to an account, and the link to the order may have been replaced, while this one works.
    return sql`EXISTS (
      SELECT 1 FROM orders JOIN packages ON order_id = orders.id
      WHERE reference = ${id} AND packages.id = ${packageId} AND packages.user_id IS NULL
    )`;
  }
  if (kind !== "api_key") return undefined;
  return sql`EXISTS (
    SELECT 1 FROM api_keys WHERE id = ${Number(id)} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})
      AND EXISTS (SELECT 1 FROM json_each(permissions) WHERE value IN ${permissionsFor("files:read")})
  )`;
}

/** A link is used right away or requested again. */
export const LINK_MS = 10 * 60 * 1000;

const AUDIENCE = "download";

/** The link's holder and session, the content it opens, and the package. Downloads are counted by `id`. */
export type DownloadLink = {
  id: string;
  holder: string;
  fileId: number;
  version: number;
  packageId: number | null;
  sessionId: string | null;
};

export const newDownloadLink = (
  caller: Downloader,
  file: { id: number; version: number },
  packageId: number | null,
): DownloadLink => ({
  id: crypto.randomUUID(),
  holder: holderName(caller, packageId),
  fileId: file.id,
  version: file.version,
  packageId,
  sessionId: caller.kind === "user" ? caller.sessionId : null,
});

/** Signs a link under the newest secret. `expiresAt` is epoch milliseconds. */
export const signLink = (
  secrets: Secrets,
  { id, holder, fileId, version, packageId, sessionId }: DownloadLink,
  expiresAt: number,
): Promise<string> =>
  new SignJWT({ file: fileId, version, package: packageId, sid: sessionId })
    .setProtectedHeader({ alg: "HS256" })
    .setAudience(AUDIENCE)
    .setSubject(holder)
    .setJti(id)
    .setExpirationTime(new Date(expiresAt))
    .sign(bytesOf(secrets[0]));

/** Opens an unexpired link signed by this deployment. A credential sent with the link must be its holder's. */
export async function openLink(secrets: Secrets, token: string, caller: Caller): Promise<DownloadLink> {
  for (const secret of secrets) {
    const link = await verify(token, secret);
    if (!link) continue;
    if (caller.kind === "anonymous" || callerName(caller) === link.holder) return link;
    throw notYours();
  }
  throw forbidden(
    "invalid_link",
    "The link is not valid or has expired. Request a new one",
    fieldError("token", "invalid_link", "is not valid or has expired"),
  );
}

const notYours = () =>
  forbidden(
    "link_not_yours",
    "The link belongs to another account or API key. Request one with this credential, or follow the link without a credential",
    fieldError("token", "link_not_yours", "belongs to another account or API key"),
  );

type Claims = { jti: string; sub: string; file: number; version: number; package: number | null; sid: string | null };

async function verify(token: string, secret: string): Promise<DownloadLink | null> {
  try {
    const { payload } = await jwtVerify<Claims>(token, bytesOf(secret), {
      algorithms: ["HS256"],
      audience: AUDIENCE,
      requiredClaims: ["exp", "jti", "sub", "file", "version"],
    });
    const { jti, sub, file, version } = payload;
    return { id: jti, holder: sub, fileId: file, version, packageId: payload.package, sessionId: payload.sid };
  } catch {
    return null;
  }
}

const bytesOf = (secret: string): Uint8Array => new TextEncoder().encode(secret);
