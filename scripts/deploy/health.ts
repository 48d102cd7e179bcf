import * as z from "zod";

const Health = z.object({ data: z.object({ version: z.string() }) });

const PAUSE_MS = 1_000;
const ATTEMPTS = 60;

/** Address of the Worker, and the version that responds there whatever its share of the traffic. */
export type Target = { url: string; worker: string; versionId: string };

/** The header that sends a request to one version of a deployment. */
const overrideOf = ({ worker, versionId }: Target): Record<string, string> => ({
  "Cloudflare-Workers-Version-Overrides": `${worker}="${versionId}"`,
});

/** Polls `/health` until this version responds, because it takes seconds to reach every data centre. */
export async function waitForHealth(target: Target): Promise<void> {
  let last = "";
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    last = await answeringVersion(target).catch((error: Error) => error.message);
    if (last === target.versionId) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`Version ${target.versionId} did not answer ${target.url}/health within a minute. Last: ${last}`);
}

/** Throws if the version does not respond. */
export async function answeringVersion(target: Target): Promise<string> {
  const response = await fetch(new URL("/health", target.url), { headers: overrideOf(target) });
  if (!response.ok) throw new Error(`status ${response.status}; \`npx wrangler tail\` says why`);
  return Health.parse(await response.json()).data.version;
}
