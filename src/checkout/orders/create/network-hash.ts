import { createHmac, hkdfSync } from "node:crypto";
import type { Author } from "../../../platform/auth/caller.ts";
import type { Settings } from "../../../platform/settings/settings.ts";

/** Names the network of a guest in unpaid orders, unreadable without the deployment's secret. Null for other buyers. */
export function networkHash(
  { linkSecrets: [secret] }: Pick<Settings, "linkSecrets">,
  { guestNetwork = null }: Pick<Author, "guestNetwork">,
): string | null {
  if (guestNetwork === null) return null;
  const key = Buffer.from(hkdfSync("sha256", secret, "", "network of an unpaid order", 32));
  return createHmac("sha256", key).update(guestNetwork).digest("base64url").slice(0, 22);
}
