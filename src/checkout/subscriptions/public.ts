export { eraseSubscriptions } from "./erasure.ts";
export { Subscription, type SubscriptionRow, toSubscription } from "./schemas.ts";
export { cancelDisputedSubscription, findSubscriptionOfOrder } from "./subscriptions.ts";
export { syncSubscription } from "./sync.ts";
