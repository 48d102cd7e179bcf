/**
 * Bindings that are not in wrangler.toml. `npm start` writes them to .dev.vars, and docs/deploy.md describes
 * production.
 */
interface Secrets {
  API_KEY_SECRET: string;
  TOKEN_KEYS: string;
  SIGNING_KEYS: string;
  LINK_SECRET: string;
  /** Secrets of a payment provider, which enable it. */
  STRIPE_SECRET_KEY?: string;
  STRIPE_WEBHOOK_SECRET?: string;
  /** The profile to which agents issue shared payment tokens, `profile_…`. */
  STRIPE_PROFILE_ID?: string;
  PAYPAL_CLIENT_ID?: string;
  PAYPAL_CLIENT_SECRET?: string;
  PAYPAL_WEBHOOK_ID?: string;
  /** Sends e-mails by Resend instead of the binding EMAIL. */
  RESEND_API_KEY?: string;
}

/** Bindings that a deployment may lack. In wrangler.toml they are comments. */
interface OptionalBindings {
  METRICS?: AnalyticsEngineDataset;
}

interface Env extends Secrets, OptionalBindings {}

declare namespace Cloudflare {
  interface Env extends Secrets, OptionalBindings {}
}
