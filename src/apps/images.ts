import { images as routes } from "../catalogue/images/routes.ts";
import { newApi } from "./new-app.ts";

/** Uploaded images. */
export const images = newApi();

images.route("/images", routes);
