import { app } from "../../../src/app.ts";
import { telling } from "./telling.ts";

// The Durable Objects are those of the Worker itself; what it exports as its default is not passed on.
export * from "../../../src/index.ts";

export default telling(app.fetch);
