import * as z from "zod";

export type WebhookSettings = {
  /** The resolver of names: DNS over HTTPS, with JSON responses. */
  dnsUrl: string;
  /** Hosts of this shop, which webhooks must not call. */
  ownHosts: string[];
  /** True if webhooks may call http://localhost. */
  allowsLocalhost: boolean;
};

export const webhookBindings = {
  DNS_URL: z.url("is not an address"),
  WEBHOOK_LOCALHOST: z
    .enum(["true", "false"], 'is neither "true" nor "false"')
    .default("false")
    .transform((text) => text === "true"),
};

type Bindings = { [Name in keyof typeof webhookBindings]: z.output<(typeof webhookBindings)[Name]> };

export const readWebhookSettings = (bindings: Bindings & { WORKER_URL: string }): WebhookSettings => ({
  dnsUrl: bindings.DNS_URL,
  ownHosts: bindings.WORKER_URL === "" ? [] : [new URL(bindings.WORKER_URL).hostname],
  allowsLocalhost: bindings.WEBHOOK_LOCALHOST,
});
