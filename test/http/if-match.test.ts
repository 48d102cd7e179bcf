import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import document from "../../public/openapi.json";
import { createStorefront } from "../../src/client/index.ts";
import { beginUpload, receivePart } from "../../src/downloads/files/uploads/multipart-upload.ts";
import { UploadCreate } from "../../src/downloads/files/uploads/schemas.ts";
import { savedViews, uploads } from "../../src/platform/db/schema.ts";
import { etagOf } from "../../src/platform/http/version.ts";
import { adminEndpoints } from "../admin/endpoints/index.ts";
import { anAdmin } from "../support/administration.ts";
import { type Answer, call, callWith, ORIGIN } from "../support/call.ts";
import { anEdge } from "../support/edge.ts";
import { interleaved } from "../support/faults.ts";
import { anArchive, follow, linkTo, sha256 } from "../support/links.ts";
import { noRules } from "../support/pricing.ts";
import { aFile, aKey, aUser, db } from "../support/shop.ts";

type Operation = { parameters?: ({ $ref: string } | { name: string })[]; responses: object };

const PREFIX = "/api/v1/admin";

const paths = document.paths as Record<string, Record<string, Operation>>;

/** Routes of the document that take `If-Match`, as they are written in `adminEndpoints`. */
const documented = Object.entries(paths).flatMap(([path, operations]) =>
  Object.entries(operations)
    .filter(([, { parameters = [] }]) =>
      parameters.some((each) => ("name" in each ? each.name === "If-Match" : /IfMatch/.test(each.$ref))),
    )
    .map(([method]) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
);

type Sent = { path: string; body?: unknown; headers?: Record<string, string> };
type Versioned = { send: Sent; etag: string };

/** The ETag of a resource: of the path itself, or of the resource that it belongs to. */
async function etagAt(path: string): Promise<string> {
  const as = (await anAdmin()).token;
  for (let resource = path; resource !== ""; resource = resource.slice(0, resource.lastIndexOf("/"))) {
    const { status, headers } = await call(`GET /admin${resource}`, { as });
    const etag = headers.get("ETag");
    if (status === 200 && etag) return etag;
  }
  throw new Error(`Nothing at ${path} has an ETag`);
}

const CONTENT = new TextEncoder().encode("hello");

/** A new version of a file: its ETag, and the upload's fields. */
async function aNewVersion() {
  await db.delete(uploads);
  const { id } = await aFile();
  const body = { file_id: id, file_name: "guide.txt", size_bytes: CONTENT.length, sha256: sha256(CONTENT) };
  return { etag: await etagAt(`/files/${id}`), body };
}

/** Requests about a version that is not read at their own path. */
const elsewhere: Record<string, () => Promise<Versioned>> = {
  "POST /uploads": async () => {
    const { etag, body } = await aNewVersion();
    return { send: { path: "/uploads", body }, etag };
  },
  "POST /uploads/:id/complete": async () => {
    const { etag, body } = await aNewVersion();
    const author = { actor: "user:1", address: null, requestId: "test", now: Date.now() };
    const { id } = await beginUpload({ env, db, author }, { ...UploadCreate.parse(body), ifMatch: {} });
    const request = new Request(ORIGIN, {
      method: "PUT",
      headers: { "Content-Type": "application/octet-stream" },
      body: CONTENT,
    });
    await receivePart({ env, db }, { id, number: 1, request });
    return { send: { path: `/uploads/${id}/complete` }, etag };
  },
  "DELETE /saved-views/:id": async () => {
    const send = await requestOf("DELETE /saved-views/:id");
    const id = Number(send.path.split("/").at(-1));
    const [view] = await db.select().from(savedViews).where(eq(savedViews.id, id));
    return { send, etag: etagOf(view?.updatedAt ?? 0) };
  },
};

const requestOf = async (line: string): Promise<Sent> => {
  const endpoint = adminEndpoints[line];
  if (!endpoint) throw new Error(`There is no endpoint ${line}`);
  return endpoint.request((await anAdmin()).id);
};

async function versioned(line: string): Promise<Versioned> {
  const known = elsewhere[line];
  if (known) return known();
  const send = await requestOf(line);
  return { send, etag: await etagAt(send.path) };
}

const adminLines = documented.filter((line) => line.includes(PREFIX)).map((line) => line.replace(PREFIX, ""));

it("is taken by the routes that are tested here", () => {
  const others = documented.filter((line) => !line.includes(PREFIX));
  expect(others).toEqual(["GET /api/v1/user/downloads"]);
  expect(adminLines.length).toBeGreaterThan(40);
});

// Every form of the header is tested by test/unit/platform/http/version.test.ts.
it.each(adminLines)("%s refuses an old ETag, and accepts the current one as the edge made it weak", async (line) => {
  const as = (await anAdmin()).token;
  const { send, etag } = await versioned(line);
  const sendWith = ({ path, headers, ...sent }: Sent, ifMatch: string): Promise<Answer> =>
    call(`${line.split(" ")[0]} /admin${path}`, { as, ...sent, headers: { ...headers, "If-Match": ifMatch } });
  const refused = await sendWith(send, 'W/"old", "older"');
  expect([refused.status, refused.body.code]).toEqual([412, "precondition_failed"]);
  const accepted = await sendWith(send, `"old", W/${etag}`);
  expect(accepted.status, JSON.stringify(accepted.body)).toBe(adminEndpoints[line]?.status);
});

/** Edits of a resource that is read at their own path and edited by others. A revocation succeeds beside any edit. */
const edits = adminLines.filter((line) => {
  const [method = "", path = ""] = line.split(" ");
  const operation = paths[PREFIX + path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
  const hasOthers = ["GET", "PUT"].every((each) => `${each} ${path}` in adminEndpoints);
  return ["PUT", "DELETE"].includes(method) && hasOthers && operation && "409" in operation.responses;
});

it.each(edits)("%s is refused after an edit by somebody else, and beside one, and changes nothing", async (line) => {
  const as = (await anAdmin()).token;
  const [method = "", route = ""] = line.split(" ");
  await noRules();
  for (const moment of ["before", "beside"]) {
    const [{ path, ...own }, theirs] = [await requestOf(line), (await requestOf(`PUT ${route}`)).body];
    const read = await call(`GET /admin${path}`, { as });
    let theirVersion: string | null = null;
    const edit = async () => {
      const edited = await call(`PUT /admin${path}`, { as, body: theirs });
      expect(edited.status, JSON.stringify(edited.body)).toBe(200);
      theirVersion = edited.headers.get("ETag");
    };
    if (moment === "before") await edit();
    const DB = moment === "beside" ? interleaved(env.DB, edit) : env.DB;
    const headers = moment === "before" ? { "If-Match": read.headers.get("ETag") ?? "" } : {};
    const late = await callWith({ DB }, `${method} /admin${path}`, { as, ...own, headers });
    const refused = moment === "before" ? [412, "precondition_failed"] : [409, "changed_meanwhile"];
    expect([moment, late.status, late.body.code]).toEqual([moment, ...refused]);
    expect(theirVersion).not.toBe(read.headers.get("ETag"));
    expect((await call(`GET /admin${path}`, { as })).headers.get("ETag")).toBe(theirVersion);
  }
});

it("lets a client behind the edge edit what it read", async () => {
  const { key } = await aKey({ permissions: ["products:read", "products:write"] });
  const shop = createStorefront({ baseUrl: ORIGIN, credential: key, fetch: anEdge() });
  const { data } = await shop.POST("/api/v1/admin/categories", { body: { name: `Shelf ${crypto.randomUUID()}` } });
  const path = { id: data.id };
  const { response } = await shop.GET("/api/v1/admin/categories/{id}", { params: { path } });
  const etag = response.headers.get("ETag") ?? "";
  expect(etag).toMatch(/^W\/"/);
  const edit = (name: string) =>
    shop.PUT("/api/v1/admin/categories/{id}", { params: { path, header: { "If-Match": etag } }, body: { name } });
  expect((await edit(`Board ${crypto.randomUUID()}`)).response.status).toBe(200);
  await expect(edit("Too late")).rejects.toMatchObject({ status: 412 });
});

it("lets a client behind an intermediary that compresses resume a download", async () => {
  const content = "A text that compresses well. ".repeat(20_000);
  const { id } = await anArchive({ mimeType: "text/plain", content, fileName: "text.txt" });
  const edge = anEdge({ breaksAfter: 100_000, ignoresNoTransform: true });
  const shop = createStorefront({ baseUrl: ORIGIN, credential: (await aUser()).token, fetch: edge });
  const { body } = await shop.download(id);
  expect(await new Response(body).text()).toBe(content);
});

it("leaves a download its strong ETag at the edge, so that any client can resume it", async () => {
  const { id } = await anArchive({ mimeType: "text/plain", content: "x".repeat(70_000) });
  const url = await linkTo(id);
  const whole = await anEdge()(new Request(url));
  const etag = whole.headers.get("ETag") ?? "";
  expect(etag).toMatch(/^"/);
  await whole.body?.cancel();
  const rest = await follow(url, { headers: { Range: "bytes=10-", "If-Range": etag } });
  expect(rest.status).toBe(206);
});
