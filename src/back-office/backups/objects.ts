/** Objects listed in one slice. */
const LISTED = 500;

/** Objects and bytes copied in one slice. One larger object is copied alone. */
const COPIED = 20;
const COPIED_BYTES = 100_000_000;

const COPIES = "objects/";

type Page = { lines: string[]; bytes: number; after: string | null };

/**
 * Lists the objects after a key, and copies those that the other bucket lacks. The content of a key never changes, so an
 * object is copied once.
 */
export async function copyObjects({ from, to, after }: { from: R2Bucket; to: R2Bucket; after: string }): Promise<Page> {
  const listed = await from.list({ limit: LISTED, ...(after && { startAfter: after }) });
  const there = await to.list({ prefix: COPIES, startAfter: `${COPIES}${after}` });
  const copied = new Set(there.objects.map(({ key }) => key.slice(COPIES.length)));
  // Beyond the last key of a full page it is unknown what was copied.
  const known = there.truncated ? there.objects.at(-1)?.key.slice(COPIES.length) : undefined;
  const page: Page = { lines: [], bytes: 0, after: null };
  let [count, bytes] = [0, 0];
  for (const { key, size, etag, uploaded } of listed.objects) {
    if (known !== undefined && key > known) return { ...page, after: page.after ?? known };
    if (!copied.has(key)) {
      if (count === COPIED || (count > 0 && bytes + size > COPIED_BYTES)) return page;
      await copy(from, to, key);
      count++;
      bytes += size;
    }
    page.lines.push(JSON.stringify([key, size, etag, uploaded.getTime()]));
    page.bytes += size;
    page.after = key;
  }
  return listed.truncated ? page : { ...page, after: null };
}

async function copy(from: R2Bucket, to: R2Bucket, key: string): Promise<void> {
  const object = await from.get(key);
  // It was deleted after it was listed.
  if (!object) return;
  await to.put(`${COPIES}${key}`, object.body, { ...(object.httpMetadata && { httpMetadata: object.httpMetadata }) });
}
