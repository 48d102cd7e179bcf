import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { eq, type SQL, sql } from "drizzle-orm";
import { toDecimal } from "../../src/domain/money.ts";
import { KEY_PREFIX, mintApiKey, startOf, TEST_KEY_PREFIX } from "../../src/platform/auth/api-keys/format.ts";
import { insertApiKey } from "../../src/platform/auth/api-keys/key-record.ts";
import { hashSecret } from "../../src/platform/auth/secrets.ts";
import { signAccessToken } from "../../src/platform/auth/tokens.ts";
import { connect } from "../../src/platform/db/client.ts";
import * as tables from "../../src/platform/db/schema.ts";
import { foldedName, foldedWords, searchedTexts } from "../../src/platform/db/search-words.ts";
import { readSettings } from "../../src/platform/settings/settings.ts";

export const db = connect(env.DB);
export const settings = readSettings(env);

let made = 0;
const dates = () => ({ createdAt: Date.now(), updatedAt: Date.now() });

function first<T>([row]: T[]): T {
  if (!row) throw new Error("nothing was inserted");
  return row;
}

type ProductInput = Partial<typeof tables.products.$inferInsert> & { stock?: number | null; fileIds?: number[] };

/** The statement that inserts a product, by default active, physical, at 1000 minor units with 100 in stock. */
export function productInsert({ stock = 100, fileIds: _, ...columns }: ProductInput = {}) {
  const n = ++made;
  const { name = `Product ${n}`, sku = `SKU-${n}`, type = "physical", brand, description, optionValues } = columns;
  return db
    .insert(tables.products)
    .values({
      name,
      slug: `product-${n}`,
      sku,
      foldedWords: foldedWords(searchedTexts.products({ name, sku, brand, description, optionValues })),
      type,
      status: "active",
      price: 1000,
      requiresShipping: type === "physical",
      manageStock: stock !== null,
      stockQuantity: stock,
      ...dates(),
      ...columns,
    })
    .returning();
}

/** The statement that attaches files to a product, by default the newest. */
export const productFilesInsert = (fileIds: number[], productId: number | SQL = sql`(SELECT max(id) FROM products)`) =>
  db.insert(tables.productFiles).values(fileIds.map((fileId) => ({ productId, fileId })));

/** A product with its files, as inserted by `productInsert`. */
export async function aProduct(columns: ProductInput = {}) {
  const { fileIds = [] } = columns;
  const insert = productInsert(columns);
  if (fileIds.length === 0) return first(await insert);
  const [products] = await db.batch([insert, productFilesInsert(fileIds)]);
  return first(products);
}

/** Several products without files, each like `aProduct`, in one round trip. */
export async function someProducts(count: number, columns: Omit<ProductInput, "fileIds"> = {}) {
  const [insert, ...more] = Array.from({ length: count }, () => productInsert(columns));
  return insert ? (await db.batch([insert, ...more])).map(first) : [];
}

/** A product with three sizes and two colours, but without variants. */
export const aParent = (columns: ProductInput = {}) =>
  aProduct({
    stock: null,
    options: [
      { name: "Size", values: ["S", "M", "L"] },
      { name: "Color", values: ["Blue", "Red"] },
    ],
    ...columns,
  });

/**
 * A variant of a product with options, by default at 1000 minor units with 100 in stock and the first unused values.
 */
export async function aVariant(
  parent: { id: number; name: string; options: tables.ProductOption[] },
  columns: ProductInput = {},
) {
  const others = await db.$count(tables.products, eq(tables.products.parentId, parent.id));
  let place = others;
  const optionValues = parent.options.map(({ name, values }) => {
    const value = values[place % values.length] ?? "";
    place = Math.floor(place / values.length);
    return { name, value };
  });
  const { status = "active" } = columns;
  return aProduct({
    name: parent.name,
    parentId: parent.id,
    optionValues,
    ownStatus: status,
    inherits: ["name", "description", "type", "images", "file_ids"],
    ...columns,
  });
}

export const aCategory = async (name: string) =>
  first(
    await db
      .insert(tables.categories)
      .values({ name, slug: name.toLowerCase().replaceAll(" ", "-"), ...dates() })
      .returning(),
  );

type UserInput = Partial<typeof tables.users.$inferInsert> & { wallet?: number };

/** The statements that insert a signed-in user, and the session's id. They form one batch, or part of one. */
export function userInserts({ wallet = 0, ...columns }: UserInput = {}) {
  const n = ++made;
  const { name = `User ${n}` } = columns;
  const insert = db
    .insert(tables.users)
    .values({
      email: `user-${n}@shop.test`,
      name,
      foldedWords: foldedWords(searchedTexts.users({ name })),
      emailVerifiedAt: Date.now(),
      passwordHash: "none",
      role: "customer",
      ...dates(),
      ...columns,
    })
    .returning();
  const userId = sql`(SELECT max(id) FROM users)`;
  const sessionId = crypto.randomUUID();
  const session = { id: sessionId, userId, createdAt: Date.now(), lastUsedAt: Date.now() };
  const more = [db.insert(tables.sessions).values(session), ...(wallet > 0 ? [credit(userId, wallet)] : [])];
  return { insert, more, sessionId };
}

/** A signed-in user, with `wallet` in minor units. No password matches. For a user with a password, see accounts.ts. */
export async function aUser(columns: UserInput = {}) {
  const { insert, more, sessionId } = userInserts(columns);
  const [users] = await db.batch([insert, ...more]);
  const user = first(users);
  const { token } = await signAccessToken(settings, { userId: user.id, sessionId, authenticatedAt: Date.now() });
  return { ...user, sessionId, token };
}

/** Several signed-in users, inserted in one call. */
export async function manyUsers(count: number, columns: UserInput = {}) {
  const all = Array.from({ length: count }, () => userInserts(columns));
  const [first, ...others] = all.flatMap(({ insert, more }) => [insert, ...more]);
  if (!first) return [];
  const rows = (await db.batch([first, ...others])).flatMap((result) => (Array.isArray(result) ? result : []));
  const authenticatedAt = Date.now();
  return Promise.all(
    rows.map(async (user, at) => {
      const sessionId = all[at]?.sessionId ?? "";
      const { token } = await signAccessToken(settings, { userId: user.id, sessionId, authenticatedAt });
      return { ...user, sessionId, token };
    }),
  );
}

/** The first money in a wallet. */
const credit = (userId: SQL, amount: number) =>
  db.insert(tables.transactions).values({
    userId,
    kind: "credit",
    method: "wallet",
    amount,
    balanceAfter: amount,
    createdAt: Date.now(),
  });

/** The statement that inserts a key, by default with all permissions, and the key itself. */
export function keyInsert(columns: Partial<typeof tables.apiKeys.$inferInsert> = {}) {
  const key = mintApiKey(settings.apiKeySecrets, columns.test ? TEST_KEY_PREFIX : KEY_PREFIX);
  const { name = `Key ${++made}` } = columns;
  const insert = insertApiKey(db, {
    name,
    foldedName: foldedName(name),
    start: startOf(key),
    hash: hashSecret(key),
    permissions: ["read", "write", "payments:write"],
    tier: "standard",
    ...dates(),
    ...columns,
  });
  return { insert, key };
}

/** A key, as inserted by `keyInsert`. */
export async function aKey(columns: Partial<typeof tables.apiKeys.$inferInsert> = {}) {
  const { insert, key } = keyInsert(columns);
  return { ...first(await insert), key };
}

type FileInput = Partial<typeof tables.files.$inferInsert> & { content?: string | Uint8Array };

/** A text file, by default published and public. */
export async function aFile({ content = "hello", ...columns }: FileInput = {}) {
  const n = ++made;
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const r2Key = `test/${n}`;
  const { name = `File ${n}`, fileName = `file-${n}.txt` } = columns;
  await env.FILES.put(r2Key, bytes);
  return first(
    await db
      .insert(tables.files)
      .values({
        name,
        fileName,
        foldedWords: foldedWords(searchedTexts.files({ name, fileName })),
        mimeType: "text/plain",
        sizeBytes: bytes.length,
        sha256: createHash("sha256").update(bytes).digest("hex"),
        access: "public",
        r2Key,
        publishedAt: Date.now() - 1000,
        ...dates(),
        ...columns,
      })
      .returning(),
  );
}

/** A package of files that was granted rather than bought. */
export async function aPackage(
  userId: number,
  fileIds: number[],
  columns: Partial<typeof tables.packages.$inferInsert> = {},
) {
  const insert = db
    .insert(tables.packages)
    .values({ userId, name: "A package", startsAt: Date.now() - 1000, ...columns })
    .returning();
  if (fileIds.length === 0) return first(await insert);
  const packageId = sql`(SELECT max(id) FROM packages)`;
  const files = db.insert(tables.packageFiles).values(fileIds.map((fileId) => ({ packageId, fileId })));
  const [packages] = await db.batch([insert, files]);
  return first(packages);
}

export const ADDRESS = { name: "Ada Lovelace", address: "12 St James's Square", city: "London", zip: "SW1Y 4JH" };

/** The body of an order that pays for `quantity` of `product` from the wallet. */
export const orderOf = (product: { id: number; price: number }, quantity = 1, more: Record<string, unknown> = {}) => ({
  items: [{ product_id: product.id, quantity, price: toDecimal(product.price) }],
  shipping_address: ADDRESS,
  payment_method: "wallet",
  ...more,
});

/** Headers that allow an order equal to one that was just placed. */
export const onPurpose = () => ({ "Idempotency-Key": crypto.randomUUID() });
