import { Hono } from "hono";
import { imagePath } from "../../catalogue/images/address.ts";
import { requireImage } from "../../catalogue/images/images.ts";
import { storeUpload } from "../../catalogue/images/store.ts";
import { ProductChange } from "../../catalogue/products/admin-schemas.ts";
import { changeProduct, requireProduct } from "../../catalogue/products/write.ts";
import { IdParam } from "../../domain/fields.ts";
import { receiveUpload, storesOf } from "../../downloads/files/public.ts";
import { writeRequestOf } from "../../platform/administration/write-queries.ts";
import { authorOf } from "../../platform/auth/author.ts";
import { administer } from "../../platform/auth/gates.ts";
import { runToCompletion } from "../../platform/http/background.ts";
import { valid, validate } from "../../platform/http/validate.ts";
import { etagOf } from "../../platform/http/version.ts";
import type { PanelEnv } from "../env.ts";
import { redirectWithFlash } from "../flash.ts";
import { submitFile } from "../forms/attempt.ts";
import { page } from "../page.tsx";
import { ImagePage } from "./image-page.tsx";
import { editPage } from "./pages.tsx";

export const productImages = new Hono<PanelEnv>()
  /** What public/admin-assets/images.js asks for: the form of the product is saved with the path. */
  .post("/images", administer("products:write"), async (c) => {
    const upload = receiveUpload(c.req.raw, (_, file) => storeUpload(storesOf(c), file, authorOf(c)));
    return c.json({ path: imagePath(await runToCompletion(c, upload)) }, 201);
  })
  .get("/images/:id", administer("products:read"), validate("param", IdParam), async (c) => {
    const image = await requireImage(c.var.db, c.req.valid("param").id);
    return page(c, `Image ${image.id}`, <ImagePage image={image} />);
  })
  .post("/products/:id/images", administer("products:write"), validate("param", IdParam), async (c) => {
    const { id } = c.req.valid("param");
    return submitFile(
      c,
      (failed) => editPage(c, id, failed),
      async (values) => {
        const upload = receiveUpload(c.req.raw, (_, file) => storeUpload(storesOf(c), file, authorOf(c)), values);
        const url = imagePath(await runToCompletion(c, upload));
        const { images, updatedAt } = await requireProduct(c.var.db, id);
        const change = valid(ProductChange, { images: [...images, { url, alt: "" }] });
        await changeProduct(writeRequestOf(c, { "if-match": etagOf(updatedAt) }), id, change);
        return redirectWithFlash(c, `/admin/products/${id}`, "The image was uploaded.");
      },
    );
  });
