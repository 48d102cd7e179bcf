import { env } from "cloudflare:workers";
import { beginUpload, receivePart } from "../../../src/downloads/files/uploads/multipart-upload.ts";
import { UploadCreate } from "../../../src/downloads/files/uploads/schemas.ts";
import { uploads } from "../../../src/platform/db/schema.ts";
import { call } from "../../support/call.ts";
import { aLicenseKey } from "../../support/license-keys.ts";
import { sha256 } from "../../support/links.ts";
import { aFile, aPackage, aProduct, aUser, db } from "../../support/shop.ts";
import { aForm } from "../../support/uploads.ts";
import { endpoints } from "./endpoint.ts";

const CONTENT = Uint8Array.from(Buffer.from("hello"));
const RAW = { "Content-Type": "application/octet-stream" };

const facts = async () => ({
  name: "A guide",
  description: "How to",
  access: "package",
  product_ids: [(await aProduct()).id],
  published: true,
});

/** Deletes earlier uploads first, because the number of open uploads is limited. */
async function aNewUpload() {
  await db.delete(uploads);
  return {
    ...(await facts()),
    file_name: "guide.txt",
    size_bytes: CONTENT.length,
    mime_type: "text/plain",
    sha256: sha256(CONTENT),
  };
}

/** An open upload, with its only part if it is about to be completed. */
async function anUpload({ filled = false } = {}) {
  const author = { actor: "user:1", address: null, requestId: "test", now: Date.now() };
  const ctx = { env, db, author };
  const { id } = await beginUpload(ctx, { ...UploadCreate.parse(await aNewUpload()), ifMatch: {} });
  const request = new Request("https://shop.test/", { method: "PUT", headers: RAW, body: CONTENT });
  if (filled) await receivePart(ctx, { id, number: 1, request });
  return { id, number: 1 };
}

const anOpenUpload = () => anUpload();

export const files = endpoints(
  { read: "files:read_all", write: "files:write" },
  {
    "GET /files": { query: "?search=a&access=public&published=true" },
    "POST /files": {
      body: async () => {
        const { product_ids, published, ...fields } = await facts();
        const form = { ...fields, product_ids: product_ids.map(String), published: "true", sha256: sha256(CONTENT) };
        return aForm(form, { content: CONTENT, type: "text/plain" });
      },
    },
    "GET /files/:id": { of: aFile },
    "PUT /files/:id": { of: aFile, body: async () => ({ ...(await facts()), file_name: "renamed.txt" }) },
    "DELETE /files/:id": { of: aFile },
    "POST /files/:id/versions": { of: aFile, body: () => aForm({ sha256: sha256(CONTENT) }, { content: CONTENT }) },
    "GET /uploads": { permission: "files:write" },
    "POST /uploads": { body: aNewUpload },
    "GET /uploads/:id": { of: anOpenUpload, permission: "files:write" },
    "PUT /uploads/:id/parts/:number": { make: anOpenUpload, body: CONTENT, headers: () => RAW },
    "POST /uploads/:id/complete": { of: () => anUpload({ filled: true }) },
    "DELETE /uploads/:id": { of: anOpenUpload },
  },
);

const aGranted = async () => aPackage((await aUser()).id, [(await aFile()).id]);
const inADay = () => new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString();

const aNewPackage = async () => ({
  user_id: (await aUser()).id,
  name: "A gift",
  file_ids: [(await aFile()).id],
  download_limit: 3,
  starts_at: new Date().toISOString(),
  expires_at: inADay(),
});

const anExtension = async () => ({
  name: "Extended",
  file_ids: [(await aFile()).id],
  download_limit: 5,
  expires_at: inADay(),
});

const anIssued = () => aLicenseKey();

async function anActivated() {
  const issued = await aLicenseKey();
  await call("POST /licenses/activate", { body: { license_key: issued.key, instance_name: "A device" } });
  return issued;
}

export const packages = endpoints(
  { read: "packages:read", write: "packages:write" },
  {
    "GET /packages": { query: "?user_id=1&order_id=1&status=active" },
    "POST /packages": { body: aNewPackage },
    "GET /packages/:id": { of: aGranted },
    "PUT /packages/:id": { of: aGranted, body: anExtension },
    "DELETE /packages/:id": { of: aGranted },
    "GET /license-keys": {
      query: "?key_start=FONT-0000-0000-0000&user_id=1&order_id=1&product_id=1&status=active",
    },
    "GET /license-keys/:id": { of: anIssued },
    "PUT /license-keys/:id": {
      of: anIssued,
      body: { activation_limit: 7, expires_at: "2040-01-31", updates_until: "2039-01-31" },
    },
    "DELETE /license-keys/:id/activations": { of: anActivated },
    "DELETE /license-keys/:id": { of: anIssued },
  },
);
