import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { type Call, languages } from "../../../../scripts/reference/code.ts";
import { groups } from "../../../../scripts/reference/document.ts";
import { callOf } from "../../../../scripts/reference/operation.ts";
import { LONG } from "../../../support/long.ts";

const call: Call = {
  method: "post",
  path: "/api/v1/admin/orders/{id}/notes",
  credential: "KEY",
  idempotent: true,
  inputs: [
    { name: "id", in: "path", required: true, isNumber: true, value: "7" },
    { name: "per_page", in: "query", required: false, isNumber: true },
  ],
  body: JSON.stringify({ text: "It's here" }),
  sendsFile: false,
  returns: "json",
};

const written = (language: string, changes: Partial<Call> = {}) => languages[language]?.write({ ...call, ...changes });

it("writes a call for curl, the client, fetch and Python", () => {
  expect(written("curl")).toBe(`curl "{origin}/api/v1/admin/orders/7/notes" \\
  -H "Authorization: Bearer $KEY" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -H "Content-Type: application/json" \\
  -d '{ "text": "It'\\''s here" }'`);
  expect(written("typescript")).toBe(`// npm install {origin}/client.tgz
import { createStorefront } from "@storefront-worker/api/client";

const shop = createStorefront({ baseUrl: "{origin}", credential: process.env.KEY });
const { data } = await shop.POST("/api/v1/admin/orders/{id}/notes", {
  params: { path: { id: 7 } },
  body: { text: "It's here" },
});`);
  expect(written("fetch")).toBe(`const response = await fetch("{origin}/api/v1/admin/orders/7/notes", {
  method: "POST",
  headers: {
    Authorization: \`Bearer \${process.env.KEY}\`,
    "Content-Type": "application/json",
    "Idempotency-Key": crypto.randomUUID(),
  },
  body: JSON.stringify({ text: "It's here" }),
});
const { data } = await response.json();`);
  const body = JSON.stringify({ text: "It's here", pinned: true, until: null });
  expect(written("python", { body })).toBe(`# pip install requests
import os
import uuid
import requests

response = requests.post(
    "{origin}/api/v1/admin/orders/7/notes",
    headers={
        "Authorization": f"Bearer {os.environ['KEY']}",
        "Idempotency-Key": str(uuid.uuid4()),
    },
    json={"text": "It's here", "pinned": True, "until": None},
)
response.raise_for_status()
data = response.json()["data"]`);
});

it("escapes typed values so that no shell or script runs them", () => {
  const [id] = call.inputs;
  const inputs = [{ ...call.inputs[0], ...id, value: '$(rm -rf /)"`' } as Call["inputs"][number]];
  const body = JSON.stringify({ text: "';$(date)'" });
  expect(written("curl", { inputs, body })).toContain("/orders/%24(rm%20-rf%20%2F)%22%60/notes");
  expect(written("curl", { inputs, body })).toContain(`-d '{ "text": "'\\'';$(date)'\\''" }'`);
  expect(written("fetch", { inputs })).toContain(
    'fetch("{origin}/api/v1/admin/orders/%24(rm%20-rf%20%2F)%22%60/notes"',
  );
});

it("writes code for the client that compiles, for every operation", LONG, () => {
  const folder = mkdtempSync(join(tmpdir(), "samples-"));
  try {
    const options = {
      extends: resolve("tsconfig.json"),
      compilerOptions: {
        lib: ["es2024", "dom", "dom.iterable"],
        types: ["node"],
        typeRoots: [resolve("node_modules/@types")],
        paths: { "@storefront-worker/api/client": [resolve("src/client/index.ts")] },
      },
      include: ["*.ts"],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(options));
    for (const { routes } of groups) {
      for (const route of routes.filter(({ security }) => security.length > 0)) {
        const code = languages.typescript?.write(callOf(route)) ?? "";
        writeFileSync(join(folder, `${route.operationId}.ts`), code);
      }
    }
    const { stdout } = spawnSync("npx", ["tsc", "-p", folder], { encoding: "utf8" });
    expect(stdout).toBe("");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
