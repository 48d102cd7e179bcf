export { eraseSubscriptions } from "./erasure.ts";
export { syncSubscription } from "./sync.ts";
