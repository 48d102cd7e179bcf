import { imageRoutes } from "../catalogue/images/routes.ts";
import { newApi } from "./new-app.ts";

export const imageApp = newApi();

imageApp.route("/images", imageRoutes);
