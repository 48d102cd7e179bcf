import worker, * as own from "../../../src/index.ts";

// The Worker as one of two versions in a deployment. As on the platform, each Durable Object runs the version that its
// name decides, and both versions call it.

const NAMESPACES = [
  "API_KEY_LIMITER",
  "API_KEY_HOME",
  "USER_LIMITER",
  "ADDRESS_LIMITER",
  "LOGIN_THROTTLE",
  "WEBHOOK_ENDPOINT",
] as const;

/** `NEW_PERCENT` of the objects run the new version. The names of a version's namespaces end in the version. */
type VersionedEnv = Env & { NEW_PERCENT: string } & Record<`${(typeof NAMESPACES)[number]}_${"old" | "new"}`, never>;

function isNew(name: string, percent: number): boolean {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + character.charCodeAt(0)) % 1_000_003;
  return hash % 100 < percent;
}

function versioned(env: VersionedEnv): Env {
  const namespaces = NAMESPACES.map((namespace) => {
    const getByName = (name: string, options?: DurableObjectNamespaceGetDurableObjectOptions) => {
      const version = isNew(name, Number(env.NEW_PERCENT)) ? "new" : "old";
      const found: DurableObjectNamespace = env[`${namespace}_${version}`];
      return found.getByName(name, options);
    };
    return [namespace, { getByName }];
  });
  return { ...env, ...Object.fromEntries(namespaces) };
}

export class ApiKeyLimiter extends own.ApiKeyLimiter {
  constructor(ctx: DurableObjectState, env: VersionedEnv) {
    super(ctx, versioned(env));
  }
}
export class ApiKeyHome extends own.ApiKeyHome {
  constructor(ctx: DurableObjectState, env: VersionedEnv) {
    super(ctx, versioned(env));
  }
}
export { AddressLimiter, JobWorkflow, LoginThrottle, UserLimiter, WebhookEndpoint } from "../../../src/index.ts";

export default {
  fetch: (request, env, ctx) => worker.fetch(request, versioned(env), ctx),
} satisfies ExportedHandler<VersionedEnv>;
