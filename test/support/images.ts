import { createExecutionContext, env, waitOnExecutionContext } from "cloudflare:test";
import { app } from "../../src/app.ts";
import { call, requestTo } from "./call.ts";
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

/** Requests an image, whose bytes are not text. */
export async function getImage(url: string, headers = {}, bindings: Partial<Env> = {}) {
  const context = createExecutionContext();
  const answer = await app.fetch(requestTo(`GET ${url}`, { headers }), { ...env, ...bindings }, context);
  const content = await answer.bytes();
  await waitOnExecutionContext(context);
  return { status: answer.status, headers: answer.headers, content };
}
