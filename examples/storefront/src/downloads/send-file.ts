import type { Schema } from "@storefront-worker/api/client";
import type { ShopContext } from "../env.ts";

/** Sends a short file, or the browser to the API, where it can resume the download. */
export function sendFile(c: ShopContext, file: Schema["Download"]): Response {
  if (file.kind === "link") return c.redirect(file.url, 303);
  return c.body(file.content, 200, {
    "Content-Type": file.mime_type,
    "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.file_name)}`,
  });
}
