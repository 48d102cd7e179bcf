import * as z from "zod";

export type WebhookSettings = {
  /** What resolves names: DNS over HTTPS, answered as JSON. */
  dnsUrl: string;
  /** The hosts of this shop, which no webhook may call. */
  ownHosts: string[];
  /** Whether webhooks may call http://localhost. */
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
