import { Hono } from "hono";
import { writeRequestOf } from "../../administration/write-queries.ts";
import { authorOf } from "../../auth/author.ts";
import { administer } from "../../auth/gates.ts";
import { IdParam } from "../../domain/fields.ts";
import { receiveUpload, storesOf } from "../../files/public.ts";
import { runToCompletion } from "../../http/background.ts";
import { valid, validate } from "../../http/validate.ts";
import { etagOf } from "../../http/version.ts";
import { imagePath } from "../../images/address.ts";
import { requireImage } from "../../images/queries.ts";
import { storeUpload } from "../../images/store.ts";
import { ProductChange } from "../../products/admin-schemas.ts";
import { changeProduct, requireProduct } from "../../products/write.ts";
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
