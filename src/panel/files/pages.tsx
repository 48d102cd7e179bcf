import type { Context } from "hono";
import { requireFile } from "../../downloads/files/write.ts";
import type { PanelEnv } from "../env.ts";
import type { Failed } from "../forms/state.ts";
import { page } from "../page.tsx";
import { readNames } from "../references/queries.ts";
import { readOpenUploads } from "../uploads/open-uploads.tsx";
import { FilePage } from "./edit-page.tsx";
import { NewFilePage } from "./new-page.tsx";

// The pages with a file's form, as they are opened and as they are shown again when the form was refused.

export async function newFilePage(c: Context<PanelEnv>, failed: Failed | null) {
  const open = await readOpenUploads(c.var.db);
  return page(c, "Upload file", <NewFilePage open={open} failed={failed} />);
}

export async function filePage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const [file, open] = await Promise.all([requireFile(c.var.db, id), readOpenUploads(c.var.db, id)]);
  const names = await readNames(
    c.var.db,
    file.productIds.map((product) => `product:${product}`),
  );
  return page(c, file.name, <FilePage file={file} open={open} names={names} failed={failed} />);
}
