import { PICTURE } from "./picture.ts";
import type { Shop } from "./shop.ts";

/** Content of the file that the examples upload. */
export const CONTENT = "Low water 06:12, high water 12:25.\n";

const CASEY = 65;
/** A file of the demo shop that its products grant. */
const RECORDING = 7;

export async function handleFiles(shop: Shop): Promise<void> {
  await shop.record("adminListFiles", { query: { per_page: "1" } });
  const file = await shop.record("uploadFile", { form: formOf({ access: "package", name: "Tide table" }) });
  const it = { path: { id: file.id } };
  await shop.record("getFile", it);
  await shop.record("updateFile", { ...it, body: { description: "For a year", published: true } });
  await shop.record("createFileVersion", { ...it, form: formOf({}) });
  await shop.record("deleteFile", it);
  await shop.record("uploadImage", { form: pictureForm() });

  const bytes = new Uint8Array(Buffer.from(CONTENT));
  const upload = await shop.record("createUpload", {
    body: { file_name: "tides.txt", size_bytes: bytes.length, access: "public" },
  });
  const parts = { path: { id: upload.id } };
  await shop.record("listUploads", { query: { per_page: "1" } });
  await shop.record("getUpload", parts);
  await shop.record("uploadPart", { path: { id: upload.id, number: 1 }, bytes });
  await shop.record("completeUpload", { ...parts, body: {} });
  const unused = { file_name: "tides.txt", size_bytes: bytes.length, access: "public" };
  const begun = await shop.ask("createUpload", { as: shop.access.api_keys.premium, body: unused });
  await shop.record("cancelUpload", { path: { id: begun.id } });

  await shop.record("adminListDownloadPackages", { query: { user_id: String(CASEY), per_page: "1" } });
  const granted = await shop.record("createDownloadPackage", {
    body: { user_id: CASEY, name: "A gift", file_ids: [RECORDING], download_limit: 5 },
  });
  const gift = { path: { id: granted.id } };
  await shop.record("getDownloadPackage", gift);
  await shop.record("updateDownloadPackage", { ...gift, body: { download_limit: 10 } });
  await shop.record("revokeDownloadPackage", gift);
}

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", new File([CONTENT], "tides.txt", { type: "text/plain" }));
  return form;
}

function pictureForm(): FormData {
  const form = new FormData();
  form.set("file", new File([PICTURE], "tides.png", { type: "image/png" }));
  return form;
}
