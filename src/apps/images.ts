import { images as routes } from "../catalogue/images/routes.ts";
import { newApi } from "./new-app.ts";

export const images = newApi();

images.route("/images", routes);
