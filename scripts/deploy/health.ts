import * as z from "zod";

const Health = z.object({ data: z.object({ version: z.string() }) });

const PAUSE_MS = 1_000;
const ATTEMPTS = 60;

/** Polls `/health` until this version responds: it reaches every data centre within seconds. */
export async function waitForHealth(url: string | undefined, versionId: string | undefined): Promise<void> {
  if (url === undefined) throw new Error("The Worker has no https:// address of its own: name one with --url");
  let last = "";
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    last = await answeringVersion(url).catch((error: Error) => error.message);
    if (last === versionId) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`Version ${versionId} did not answer ${url}/health within a minute. Last: ${last}`);
}

async function answeringVersion(url: string): Promise<string> {
  const response = await fetch(new URL("/health", url));
  if (!response.ok) throw new Error(`status ${response.status}; \`npx wrangler tail\` says why`);
  return Health.parse(await response.json()).data.version;
}
