import { app } from "./floor.ts";
import { telling } from "./telling.ts";

export { Counter } from "./floor.ts";

export default telling(app.fetch);
