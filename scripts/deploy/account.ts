import * as z from "zod";
import { bucketExists } from "./platform.ts";
import { wrangler, wranglerJson } from "./wrangler.ts";

const Accounts = z.object({ accounts: z.array(z.object({ id: z.string() })) });
const Refused = z.object({ errors: z.array(z.object({ code: z.number() })) });

/** The code of the API if the account has no workers.dev subdomain (`getWorkersDevSubdomain` in wrangler 4.156). */
const NO_SUBDOMAIN = 10_007;

/** The buckets that do not exist yet. Throws if R2 is off (code 10042, cloudflare/workers-sdk#2877). */
export function missingBuckets(buckets: readonly string[]): string[] {
  try {
    return buckets.filter((bucket) => !bucketExists(bucket));
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes("[code: 10042]")) throw error;
    throw new Error(
      "R2 is off in this account: https://dash.cloudflare.com/?to=/:account/r2/overview, choose the plan of R2, and run " +
        "the command again.",
    );
  }
}

/**
 * Throws if the account has no workers.dev subdomain, which it needs for Workflows, even with a domain of its own.
 * wrangler would find out when everything else is done.
 */
export async function requireSubdomain(): Promise<void> {
  const account = process.env.CLOUDFLARE_ACCOUNT_ID ?? onlyAccount();
  if (account === undefined) return;
  const base = process.env.CLOUDFLARE_API_BASE_URL ?? "https://api.cloudflare.com/client/v4";
  const headers = { Authorization: `Bearer ${wrangler(["auth", "token"]).trim()}` };
  const response = await fetch(`${base}/accounts/${account}/workers/subdomain`, { headers });
  if (response.ok) return;
  const { data } = Refused.safeParse(await response.json());
  if (!data?.errors.some(({ code }) => code === NO_SUBDOMAIN)) return;
  throw new Error(
    `This account has no workers.dev subdomain. Choose one at https://dash.cloudflare.com/${account}/workers/onboarding, and run ` +
      "the command again.",
  );
}

function onlyAccount(): string | undefined {
  const { accounts } = Accounts.parse(wranglerJson("whoami", "--json"));
  return accounts.length === 1 ? accounts[0]?.id : undefined;
}
