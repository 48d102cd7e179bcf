import { call } from "./call.ts";
import { aPng } from "./image-bytes.ts";
import { asAdministrator } from "./settings.ts";
import { aForm } from "./uploads.ts";

export const imageForm = (content: Uint8Array<ArrayBuffer> = aPng(), fields: Record<string, string> = {}) =>
  aForm(fields, { content, name: "picture.png" });

/** Uploads an image and returns its URL and path. */
export async function anImage(content?: Uint8Array<ArrayBuffer>) {
  const { body } = await call("POST /admin/images", { as: await asAdministrator(), body: imageForm(content) });
  const url: string = body.data.url;
  return { ...body.data, url, path: new URL(url).pathname };
}
