import { createHash } from "node:crypto";
import { hashPassword } from "../../src/accounts/users/sign-in/passwords.ts";
import { mintApiKey, startOf } from "../../src/platform/auth/api-keys/format.ts";
import { licenseKeyText, readLicenseSecret } from "../../src/platform/auth/license-keys.ts";
import { hashSecret } from "../../src/platform/auth/secrets.ts";
import { signAccessToken } from "../../src/platform/auth/tokens.ts";
import { connect } from "../../src/platform/db/client.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";

// Each round uses its own credentials, enough to stay below every limit.

export type User = { id: number; email: string; token: string; sessionId: string; packageId: number | null };

const PASSWORD = "correct horse battery staple";
const WALLET_MINOR = 1_000_000_000;

/** Creates unused API keys and users. Users share a password, a full wallet and a package with one file. */
export async function openCallers(env: Env) {
  const settings = readSettings(env);
  const passwordHash = await hashPassword(PASSWORD);
  const fileId = await addFile(env);
  let made = 0;

  async function newKeys(
    count: number,
    tier: "standard" | "premium",
    permissions = ["read", "write"],
  ): Promise<string[]> {
    const keys = Array.from({ length: count }, () => mintApiKey(settings.apiKeySecrets));
    const rows = keys.map((key) => ({ start: startOf(key), hash: hashSecret(key) }));
    await env.DB.prepare(insertKeys).bind(JSON.stringify(rows), tier, Date.now(), JSON.stringify(permissions)).run();
    return keys;
  }

  async function newUsers(count: number, role: "customer" | "admin" = "customer"): Promise<User[]> {
    const emails = Array.from({ length: count }, () => `user-${++made}@bench.example`);
    const insert = env.DB.prepare(insertUsers).bind(JSON.stringify(emails), passwordHash, Date.now(), role);
    const { results: users } = await insert.all<{ id: number; email: string }>();
    const ids = JSON.stringify(users.map(({ id }) => id));
    const sessions = new Map(users.map(({ id }) => [id, crypto.randomUUID()]));
    const [, packages] = await env.DB.batch<{ id: number }>([
      env.DB.prepare(insertCredits).bind(ids, WALLET_MINOR, Date.now()),
      env.DB.prepare(insertPackages).bind(ids, Date.now()),
      env.DB.prepare(insertPackageFiles).bind(ids, fileId),
      env.DB.prepare(insertSessions).bind(JSON.stringify([...sessions]), Date.now()),
    ]);
    return Promise.all(
      users.map(async ({ id, email }, index) => {
        const sessionId = sessions.get(id) ?? "";
        const { token } = await signAccessToken(settings, { userId: id, sessionId, authenticatedAt: Date.now() });
        return { id, email, token, sessionId, packageId: packages?.results[index]?.id ?? null };
      }),
    );
  }

  const unused = { users: new Map<string, User[]>(), keys: new Map<string, string[]>() };

  /** Takes one that was made before, or makes a batch: each call to a binding from outside the runtime is a request. */
  async function next<Made>(made: Map<string, Made[]>, kind: string, make: () => Promise<Made[]>): Promise<Made> {
    const one = made.get(kind)?.pop();
    if (one !== undefined) return one;
    made.set(kind, await make());
    return next(made, kind, make);
  }

  const nextUser = (role: "customer" | "admin") => next(unused.users, role, () => newUsers(50, role));
  const nextKey = (permissions: string[]) =>
    next(unused.keys, String(permissions), () => newKeys(20, "premium", permissions));

  /** Texts of license keys, all issued for one order. */
  async function newLicenses(count: number): Promise<string[]> {
    const secret = await readLicenseSecret({ db: connect(env.DB), settings });
    const insert = env.DB.prepare(insertLicenses).bind(count, Date.now());
    const { results } = await insert.all<{ prefix: string; nonce: string }>();
    return results.map((row) => licenseKeyText(secret, { ...row, uploaded: null }));
  }

  return { settings, fileId, password: PASSWORD, newKeys, newUsers, nextUser, nextKey, newLicenses };
}
export type Callers = Awaited<ReturnType<typeof openCallers>>;

const FILE_BYTES = 1_000_000;

async function addFile(env: Env): Promise<number> {
  const bytes = Buffer.alloc(FILE_BYTES, "storefront ");
  await env.FILES.put("bench", bytes);
  const file = env.DB.prepare(insertFile).bind(
    FILE_BYTES,
    createHash("sha256").update(bytes).digest("hex"),
    Date.now(),
  );
  return (await file.first<number>("id")) ?? 0;
}

const insertFile = `
  INSERT INTO files (name, file_name, mime_type, size_bytes, sha256, access, r2_key, published_at, created_at, updated_at)
  VALUES ('A megabyte', 'megabyte.bin', 'application/octet-stream', ?1, ?2, 'package', 'bench', ?3, ?3, ?3) RETURNING id`;

const insertKeys = `
  INSERT INTO api_keys (name, start, hash, permissions, tier, created_at, updated_at)
  SELECT 'Bench', value ->> 'start', value ->> 'hash', ?4, ?2, ?3, ?3 FROM json_each(?1)`;

const insertUsers = `
  INSERT INTO users (email, email_verified_at, name, password_hash, role, created_at, updated_at)
  SELECT value, ?3, 'Bench', ?2, ?4, ?3, ?3 FROM json_each(?1) RETURNING id, email`;

const insertCredits = `
  INSERT INTO transactions (user_id, kind, method, amount, balance_after, created_at)
  SELECT value, 'credit', 'wallet', ?2, ?2, ?3 FROM json_each(?1)`;

const insertPackages = `
  INSERT INTO packages (user_id, name, starts_at) SELECT value, 'Bench', ?2 FROM json_each(?1) RETURNING id`;

const insertSessions = `
  INSERT INTO sessions (id, user_id, created_at) SELECT value ->> 1, value ->> 0, ?2 FROM json_each(?1)`;

const insertLicenses = `
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
  INSERT INTO license_keys (nonce, prefix, name, product_id, order_id, order_item_id, activation_limit, created_at, updated_at)
  SELECT hex(randomblob(6)), 'BENCH', name, product_id, order_id, id, 1, ?2, ?2
  FROM (SELECT * FROM order_items LIMIT 1), numbers RETURNING prefix, nonce`;

const insertPackageFiles = `
  INSERT INTO package_files (package_id, file_id)
  SELECT packages.id, ?2 FROM packages JOIN json_each(?1) ON packages.user_id = value`;
