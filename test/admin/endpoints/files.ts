import { env } from "cloudflare:workers";
import { beginUpload, receivePart } from "../../../src/downloads/files/uploads/multipart-upload.ts";
import { UploadCreate } from "../../../src/downloads/files/uploads/schemas.ts";
import { uploads } from "../../../src/platform/db/schema.ts";
import { sha256 } from "../../support/links.ts";
import { aFile, aProduct, db } from "../../support/shop.ts";
import { aForm } from "../../support/uploads.ts";
import type { AdminEndpoints } from "./endpoint.ts";

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
  return `/uploads/${id}`;
}

export const files: AdminEndpoints = {
  "GET /files": {
    permission: "files:read_all",
    status: 200,
    request: async () => ({ path: "/files?search=a&access=public&published=true" }),
  },
  "POST /files": {
    permission: "files:write",
    status: 201,
    request: async () => {
      const { product_ids, published, ...fields } = await facts();
      const form = { ...fields, product_ids: product_ids.map(String), published: "true", sha256: sha256(CONTENT) };
      return { path: "/files", body: aForm(form, { content: CONTENT, type: "text/plain" }) };
    },
  },
  "GET /files/:id": {
    permission: "files:read_all",
    status: 200,
    request: async () => ({ path: `/files/${(await aFile()).id}` }),
  },
  "PUT /files/:id": {
    permission: "files:write",
    status: 200,
    request: async () => ({
      path: `/files/${(await aFile()).id}`,
      body: { ...(await facts()), file_name: "renamed.txt" },
    }),
  },
  "DELETE /files/:id": {
    permission: "files:write",
    status: 204,
    request: async () => ({ path: `/files/${(await aFile()).id}` }),
  },
  "POST /files/:id/versions": {
    permission: "files:write",
    status: 201,
    request: async () => ({
      path: `/files/${(await aFile()).id}/versions`,
      body: aForm({ sha256: sha256(CONTENT) }, { content: CONTENT }),
    }),
  },
  "GET /uploads": { permission: "files:write", status: 200, request: async () => ({ path: "/uploads" }) },
  "POST /uploads": {
    permission: "files:write",
    status: 201,
    request: async () => ({ path: "/uploads", body: await aNewUpload() }),
  },
  "GET /uploads/:id": {
    permission: "files:write",
    status: 200,
    request: async () => ({ path: await anUpload() }),
  },
  "PUT /uploads/:id/parts/:number": {
    permission: "files:write",
    status: 200,
    request: async () => ({ path: `${await anUpload()}/parts/1`, body: CONTENT, headers: RAW }),
  },
  "POST /uploads/:id/complete": {
    permission: "files:write",
    status: 201,
    request: async () => ({ path: `${await anUpload({ filled: true })}/complete` }),
  },
  "DELETE /uploads/:id": {
    permission: "files:write",
    status: 204,
    request: async () => ({ path: await anUpload() }),
  },
};
