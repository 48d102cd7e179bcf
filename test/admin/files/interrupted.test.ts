import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { deleteOrphanedObjects } from "../../../src/downloads/files/orphaned-objects.ts";
import { orphanedObjects } from "../../../src/platform/db/schema.ts";
import { administration } from "../../support/administration.ts";
import { call, callWith } from "../../support/call.ts";
import { brokenInvariants } from "../../support/invariants.ts";
import { bytesOf } from "../../support/links.ts";
import { LONG } from "../../support/long.ts";
import { strayObjects } from "../../support/objects.ts";
import { expectRefusal } from "../../support/refusal.ts";
import { aFile, db } from "../../support/shop.ts";
import { aForm } from "../../support/uploads.ts";
import { watched } from "../../support/watched.ts";
import { later, stored } from "./support.ts";

const BOUNDARY = "a-boundary";
const MULTIPART = { "Content-Type": `multipart/form-data; boundary=${BOUNDARY}` };
const SLAB = 8 * 1024 * 1024;
const twoParts = { content: bytesOf(SLAB + 1), name: "big.bin" };

const { admin } = administration();

const field = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="access"\r\n\r\npublic\r\n`;
const header = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="big.bin"\r\n\r\n`;
const end = `\r\n--${BOUNDARY}--\r\n`;

/** A body of these texts, with a number standing for that many bytes. It then ends, or breaks off if `gone` is true. */
function body(pieces: (string | number)[], gone: boolean): ReadableStream {
  const chunks = pieces.flatMap((piece) =>
    typeof piece === "string"
      ? [Buffer.from(piece)]
      : Array.from({ length: Math.ceil(piece / 65_536) }, () => new Uint8Array(65_536).fill(1)),
  );
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk) controller.enqueue(Uint8Array.from(chunk));
      else if (gone) controller.error(new Error("the sender has gone"));
      else controller.close();
    },
  });
}

describe.each([
  ["ends", false],
  ["breaks off", true],
])("a form that %s early", (_, gone) => {
  it.each([
    ["before its fields", []],
    ["in a field", [field.slice(0, 40)]],
    ["before its file", [field]],
    ["in the file's header", [field, header.slice(0, 50)]],
    ["before the first byte", [field, header]],
    ["in the first part", [field, header, 100_000]],
    ["after several parts", [field, header, 2 * SLAB + 100_000]],
    ["in the last boundary", [field, header, SLAB, end.slice(0, 10)]],
  ])("%s leaves no object, no row and no entry", async (_where, pieces) => {
    const before = await stored();
    const options = { as: admin.token, body: body(pieces, gone), headers: MULTIPART };
    const answer = await callWith({}, "POST /admin/files", options);
    expectRefusal(answer, 400);
    expect(await stored()).toEqual(before);
  });
});

describe.each([
  ["POST /admin/files", async () => "/admin/files"],
  ["POST /admin/files/:id/versions", async () => `/admin/files/${(await aFile()).id}/versions`],
])("%s with a file of two parts", (_, pathOf) => {
  /** Calls of a request, true for those that only read. */
  let calls: boolean[];

  /** Sends the form with bindings whose `at`-th call fails. */
  async function send(at: number, loss: "before" | "after") {
    calls = [];
    const bindings = watched(env, async (storage, run, reads) => {
      if (storage === "durableObjects" || calls.push(reads) !== at) return run();
      if (loss === "after") await run();
      throw new Error(storage === "d1" ? "D1_ERROR: Network connection lost." : "Network connection lost.");
    });
    const path = await pathOf();
    const fields: Record<string, string> = path.endsWith("/versions") ? {} : { access: "public" };
    const form = aForm(fields, twoParts);
    return callWith(bindings, `POST ${path}`, { as: admin.token, body: form });
  }

  it("loses no object, whichever call fails, and the schedule leaves no orphans", LONG, async () => {
    expect((await send(0, "before")).status).toBe(201);
    const whole = calls;
    expect(whole.length).toBeGreaterThan(5);
    for (const [index, reads] of whole.entries()) {
      for (const loss of reads ? (["before"] as const) : (["before", "after"] as const)) {
        const seen = `${index + 1} of ${whole.length}, ${loss}`;
        expect([500, 503], seen).toContain((await send(index + 1, loss)).status);
        expect(await strayObjects(env), seen).toEqual({ lost: [], missing: [] });
      }
    }
    await later();
    expect(await brokenInvariants()).toEqual({});
    expect(await db.select().from(orphanedObjects).all()).toEqual([]);
  });
});

describe("storage that cannot be reached", () => {
  let before: Awaited<ReturnType<typeof stored>>;

  beforeAll(async () => {
    await later();
    before = await stored();
  });

  it.each(["d1", "r2"] as const)("leaves cleanup to the schedule: %s from the third call on", async (out) => {
    let calls = 0;
    const bindings = watched(env, async (storage, run) => {
      if (storage === "durableObjects" || ++calls < 3 || storage !== out) return run();
      throw new Error(out === "d1" ? "D1_ERROR: Network connection lost." : "Network connection lost.");
    });
    const form = aForm({ access: "public" }, twoParts);
    const answer = await callWith(bindings, "POST /admin/files", { as: admin.token, body: form });
    expect(answer.status).toBe(503);
    expect(await strayObjects(env)).toEqual({ lost: [], missing: [] });
    expect(await db.$count(orphanedObjects)).toBe(1);
    await later();
    expect(await stored()).toEqual(before);
  });

  it("does not delay other objects", async () => {
    const [stuck, other] = [await aFile(), await aFile()];
    for (const { id } of [stuck, other]) await call(`DELETE /admin/files/${id}`, { as: admin.token });
    const bucket = new Proxy(env.FILES, {
      get: (real, name) => async (key: string) => {
        if (key === stuck.r2Key) throw new Error("Network connection lost.");
        return Reflect.apply(Reflect.get(real, name), real, [key]);
      },
    });
    await deleteOrphanedObjects({ env: { ...env, FILES: bucket }, db }, Date.now() + 1000);
    expect(await env.FILES.head(other.r2Key)).toBeNull();
    expect(await env.FILES.head(stuck.r2Key)).not.toBeNull();
    await later(62_000);
    expect(await env.FILES.head(stuck.r2Key)).toBeNull();
  });
});
