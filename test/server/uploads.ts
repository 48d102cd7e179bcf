import { createHash, randomBytes } from "node:crypto";
import { type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { OpenShop } from "./checkout.ts";

const BOUNDARY = "----a-boundary-that-is-in-no-file";
const CHUNK_BYTES = 64 * 1024;

type Uploaded = { data: { id: number; size_bytes: number; sha256: string } };

/**
 * Uploads a file of this size, generated as it is sent, with no two chunks alike. `turn` is called after this many
 * chunks. If it throws, the sender disconnects.
 */
export async function upload(shop: OpenShop, sizeBytes: number, turn?: { after: number; act: () => Promise<void> }) {
  const hash = createHash("sha256");
  const noise = randomBytes(CHUNK_BYTES);
  async function* form() {
    yield Buffer.from(field("access", "authenticated") + field("published", "true") + fileHeader);
    for (let sent = 0; sent < sizeBytes; sent += CHUNK_BYTES) {
      if (turn && sent >= turn.after) await turn.act();
      noise.writeUInt32LE(sent);
      const chunk = Buffer.from(noise.subarray(0, sizeBytes - sent));
      hash.update(chunk);
      yield chunk;
    }
    yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  }
  const sending = request(`${shop.base_url}/api/v1/admin/files`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${shop.api_keys.premium}`,
      "Content-Type": `multipart/form-data; boundary=${BOUNDARY}`,
    },
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sending.on("response", resolve).on("error", reject);
  });
  const [answer] = await Promise.all([answered, pipeline(form(), sending)]);
  return { status: answer.statusCode, body: (await json(answer)) as Uploaded, sha256: hash.digest("hex") };
}

const field = (name: string, value: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

const fileHeader = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="big.bin"\r\n\r\n`;
