import { app } from "./app.ts";
import { refuseForgedKeys } from "./auth/api-keys/forged-keys.ts";

export { JobWorkflow } from "./apps/job-workflow.ts";
export { ApiKeyHome } from "./auth/api-keys/home.ts";
export { ApiKeyLimiter } from "./auth/api-keys/limiter.ts";
export { LoginThrottle } from "./auth/login-attempts/throttle.ts";
export { UserLimiter } from "./auth/users/limiter.ts";
export { AddressLimiter } from "./rate-limit/address-limiter.ts";
export { WebhookEndpoint } from "./webhooks/delivery/endpoint.ts";

export default {
  fetch: refuseForgedKeys(app.fetch),
  scheduled: async (event, env) => {
    const { everyMinute } = await import("./scheduled.ts");
    await everyMinute(env, event.scheduledTime);
  },
} satisfies ExportedHandler<Env>;
