import type { Author } from "../../../platform/auth/caller.ts";
import { keyedHash } from "../../../platform/auth/keyed-hash.ts";
import type { Settings } from "../../../platform/settings/settings.ts";

/** Names the network of a guest in unpaid orders, unreadable without the deployment's secret. Null for other buyers. */
export const networkHash = (
  { linkSecrets: [secret] }: Pick<Settings, "linkSecrets">,
  { guestNetwork = null }: Pick<Author, "guestNetwork">,
): string | null => guestNetwork && keyedHash(secret, "network of an unpaid order", guestNetwork).slice(0, 22);
