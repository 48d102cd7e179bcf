import { Hono } from "hono";
import type { AppEnv } from "../auth/app-env.ts";
import { administer } from "../auth/gates.ts";
import { Nothing } from "../domain/fields.ts";
import { asSent, fromForm, receiveUpload, storesOf } from "../files/public.ts";
import { runToCompletion } from "../http/background.ts";
import { created } from "../http/envelope.ts";
import { acceptsBody, creates } from "../http/route-description.ts";
import { idempotent } from "../idempotency/header.ts";
import { once } from "../idempotency/once.ts";
import { imagePath } from "./address.ts";
import { StoredImage, toStoredImage } from "./schemas.ts";
import { storeUpload } from "./store.ts";

export const imagesAdmin = new Hono<AppEnv>().post(
  "/images",
  administer("products:write"),
  idempotent,
  acceptsBody("multipart/form-data", Nothing),
  creates("uploadImage", "Upload an image", StoredImage),
  async (c) => {
    const upload = receiveUpload(c.req.raw, (fields, file) => {
      fromForm(Nothing, fields);
      return once(c, asSent(fields, file), (author) => storeUpload(storesOf(c), file, author));
    });
    const image = await runToCompletion(c, upload);
    return created(c, imagePath(image), "Image stored", toStoredImage(image, new URL(c.req.url).origin));
  },
);
