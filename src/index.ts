import { app } from "./app.ts";
import { refuseForgedKeys } from "./platform/auth/api-keys/forged-keys.ts";

export { JobWorkflow } from "./apps/job-workflow.ts";
export { WebhookEndpoint } from "./apps/webhook-endpoint.ts";
export { ApiKeyHome } from "./platform/auth/api-keys/home.ts";
export { ApiKeyLimiter } from "./platform/auth/api-keys/limiter.ts";
export { LoginThrottle } from "./platform/auth/login-attempts/throttle.ts";
export { UserLimiter } from "./platform/auth/user-limiter.ts";
export { AddressLimiter } from "./platform/rate-limit/limiter.ts";

export default {
  fetch: refuseForgedKeys(app.fetch),
  scheduled: async (event, env) => {
    const { everyMinute } = await import("./scheduled.ts");
    await everyMinute(env, event.scheduledTime);
  },
} satisfies ExportedHandler<Env>;
