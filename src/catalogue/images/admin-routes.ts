import { Hono } from "hono";
import { Nothing } from "../../domain/fields.ts";
import { asSent, fromForm, receiveUpload } from "../../downloads/files/public.ts";
import { type AppEnv, administer } from "../../platform/auth/gates.ts";
import { runToCompletion } from "../../platform/http/background.ts";
import { created } from "../../platform/http/envelope.ts";
import { acceptsBody, creates } from "../../platform/http/route-description.ts";
import { idempotent, once } from "../../platform/idempotency/once.ts";
import { imagePath } from "./address.ts";
import { StoredImage, toStoredImage } from "./images.ts";
import { storeUpload } from "./store.ts";

export const imagesAdmin = new Hono<AppEnv>().post(
  "/images",
  administer("products:write"),
  idempotent,
  acceptsBody("multipart/form-data", Nothing),
  creates("uploadImage", "Upload an image", StoredImage, { refuses: { 400: ["content_mismatch"] } }),
  async (c) => {
    const upload = receiveUpload(c.req.raw, (fields, file) => {
      fromForm(Nothing, fields);
      return once(c, asSent(fields, file), (ctx) => storeUpload(ctx, file));
    });
    const image = await runToCompletion(c, upload);
    return created(c, imagePath(image), "Image stored", toStoredImage(image, new URL(c.req.url).origin));
  },
);
