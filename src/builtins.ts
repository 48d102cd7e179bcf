// esbuild writes an import of a builtin at the top of the bundle, also one of a module that is evaluated on first use: node:crypto
// and node:stream alone would be a quarter of a cold start. So wrangler.toml has them imported from here.

export const { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes, scrypt } =
  process.getBuiltinModule("node:crypto");
export const { EventEmitter } = process.getBuiltinModule("node:events");
export const { Readable, Writable } = process.getBuiltinModule("node:stream");
export const { pipeline } = process.getBuiltinModule("node:stream/promises");
export const { inherits } = process.getBuiltinModule("node:util");
