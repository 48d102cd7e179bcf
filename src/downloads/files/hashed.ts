import { createHash } from "node:crypto";

/** Bytes as they come in, and their SHA-256 in hex. */
export type Hashed = {
  bytes: AsyncIterable<Uint8Array>;
  /** Reads the rest of the bytes. Null if reading was aborted before the end. */
  sha256: () => Promise<string | null>;
};

/** Hashes bytes while they are read. */
export function hashed(incoming: AsyncIterable<Uint8Array>): Hashed {
  let digest: string | null = null;
  const bytes = passing(incoming, (hex) => {
    digest = hex;
  });
  return {
    bytes,
    sha256: async () => {
      for await (const _ of bytes);
      return digest;
    },
  };
}

async function* passing(incoming: AsyncIterable<Uint8Array>, told: (hex: string) => void) {
  const hash = createHash("sha256");
  for await (const chunk of incoming) {
    hash.update(chunk);
    yield chunk;
  }
  told(hash.digest("hex"));
}
