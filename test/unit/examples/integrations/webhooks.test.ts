import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { listen } from "../../../../scripts/listen.ts";
import { newSecret } from "../../../../src/integrations/webhooks/secrets.ts";
import { runnable } from "../../../support/programs.ts";

const secret = newSecret();
const body = JSON.stringify({ type: "order.paid", data: { order_id: 7, name: "Zoë" } });

const signed = ({ by = secret, at = new Date() } = {}) => ({
  "webhook-id": "evt_7",
  "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
  "webhook-signature": new Webhook(by).sign("evt_7", at, body),
});

const [old, early] = [-400, 400].map((seconds) => new Date(Date.now() + seconds * 1000));
const another = signed({ by: newSecret() })["webhook-signature"];
const { "webhook-id": _, ...withoutId } = signed();
const requests = [
  { says: "a signed body", body, headers: signed(), holds: true },
  {
    says: "two signatures while the secret changes",
    ...{
      body,
      headers: { ...signed(), "webhook-signature": `${another} ${signed()["webhook-signature"]}` },
      holds: true,
    },
  },
  {
    says: "names of headers in upper case",
    body,
    headers: Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value])),
    holds: true,
  },
  { says: "no signature", body, headers: {}, holds: false },
  { says: "no id", body, headers: withoutId, holds: false },
  {
    says: "a time without a signature",
    body,
    headers: { "webhook-timestamp": signed()["webhook-timestamp"] },
    holds: false,
  },
  { says: "a word as time", body, headers: { ...signed(), "webhook-timestamp": "soon" }, holds: false },
  {
    says: "a signature in other letters",
    body,
    headers: { ...signed(), "webhook-signature": "v1,\u00e9" },
    holds: false,
  },
  { says: "another secret", body, headers: signed({ by: newSecret() }), holds: false },
  { says: "a changed body", body: `${body} `, headers: signed(), holds: false },
  { says: "another id", body, headers: { ...signed(), "webhook-id": "evt_8" }, holds: false },
  { says: "an old body", body, headers: signed({ at: old }), holds: false },
  { says: "a body from the future", body, headers: signed({ at: early }), holds: false },
];
const expected = Object.fromEntries(requests.map(({ says, holds }) => [says, holds]));

const folder = "examples/integrations";

/** Code that verifies the requests of its standard input. */
const checks: Record<string, string[]> = {
  python: [
    "-c",
    `import json, sys; sys.path.insert(0, "${folder}/python"); from verify_webhook import verify_webhook
requests, secret = json.load(sys.stdin)
print(json.dumps({r["says"]: verify_webhook(r["body"].encode(), r["headers"], secret) for r in requests}))`,
  ],
  php: [
    "-r",
    `require "${folder}/php/verify-webhook.php"; [$requests, $secret] = json_decode(stream_get_contents(STDIN), true);
foreach ($requests as $r) $held[$r["says"]] = verify_webhook($r["body"], $r["headers"], $secret);
echo json_encode($held);`,
  ],
};

it.each(runnable.filter(({ language }) => language in checks))("verifies webhooks in $language", (by) => {
  const input = JSON.stringify([requests, secret]);
  const { stdout, stderr } = spawnSync(by.command, checks[by.language] ?? [], { input, encoding: "utf8" });
  expect(JSON.parse(stdout || JSON.stringify(stderr))).toEqual(expected);
});

it("verifies webhooks in a server of the TypeScript client", async () => {
  const { url, close } = await listen(() => {});
  close();
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: new URL(url).port };
  const server = spawn(process.execPath, [`${folder}/typescript/verify-webhook.ts`], { env });
  try {
    await once(server.stdout, "data");
    const held: Record<string, boolean> = {};
    for (const { says, body: sent, headers } of requests) {
      const { status } = await fetch(url, { method: "POST", headers, body: sent });
      held[says] = status === 204;
    }
    expect(held).toEqual(expected);
  } finally {
    server.kill();
  }
});

/** Hash of the programs in a language. */
const hashOf = (pattern: string) =>
  globSync(`${folder}/${pattern}`)
    .toSorted()
    .reduce((hash, path) => hash.update(readFileSync(path, "utf8")), createHash("sha256"))
    .digest("hex")
    .slice(0, 16);

// Not every machine has Python and PHP. Change a hash once the tests of these programs have passed on one that has:
// those in this folder and test/server/contract/integrations.test.ts.
it("has the programs that ran last", () => {
  expect({ python: hashOf("python/*.py"), php: hashOf("php/*.php") }).toEqual({
    python: "9e11591170df0b20",
    php: "28f99b0774f91b04",
  });
});
