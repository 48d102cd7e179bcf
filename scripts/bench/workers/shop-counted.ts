import { app } from "../../../src/app.ts";
import { telling } from "./telling.ts";

export { ApiKeyLimiter } from "../../../src/auth/api-keys/limiter.ts";
export { UserLimiter } from "../../../src/auth/users/limiter.ts";
export { AddressLimiter } from "../../../src/rate-limit/address-limiter.ts";

export default telling(app.fetch);
