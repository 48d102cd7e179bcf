import { PICTURE } from "./picture.ts";
import type { Shop } from "./shop.ts";

const CONTENT = "Low water 06:12, high water 12:25.\n";

export async function handleFiles(shop: Shop, as: string, user: { id: number }): Promise<void> {
  const file = await shop.record("uploadFile", { as, form: formOf({ access: "package", name: "Tide table" }) });
  const it = { as, path: { id: file.id } };
  await shop.record("adminListFiles", { as, query: { per_page: "1" } });
  await shop.record("getFile", it);
  await shop.record("updateFile", { ...it, body: { description: "For a year", published: true } });
  await shop.record("createFileVersion", { ...it, form: formOf({}) });

  await shop.record("uploadImage", { as, form: pictureForm() });

  const granted = await shop.record("createDownloadPackage", {
    as,
    body: { user_id: user.id, name: "A gift", file_ids: [file.id], download_limit: 5 },
  });
  const gift = { as, path: { id: granted.id } };
  await shop.record("adminListDownloadPackages", { as, query: { user_id: String(user.id), per_page: "1" } });
  await shop.record("getDownloadPackage", gift);
  await shop.record("updateDownloadPackage", { ...gift, body: { download_limit: 10 } });
  await shop.record("revokeDownloadPackage", gift);
  const unheld = await shop.ask("uploadFile", { as, form: formOf({ access: "public" }) });
  await shop.record("deleteFile", { as, path: { id: unheld.id } });

  const bytes = new Uint8Array(Buffer.from(CONTENT));
  const begun = { file_name: "tides.txt", size_bytes: bytes.length, access: "public" };
  const upload = await shop.record("createUpload", { as, body: begun });
  const parts = { as, path: { id: upload.id } };
  await shop.record("uploadPart", { as, path: { id: upload.id, number: 1 }, bytes });
  await shop.record("listUploads", { as, query: { per_page: "1" } });
  await shop.record("getUpload", parts);
  await shop.record("completeUpload", { ...parts, body: {} });
  const given = await shop.ask("createUpload", { as, body: begun });
  await shop.record("cancelUpload", { as, path: { id: given.id } });
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
