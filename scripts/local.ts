/** Environment in which scripts run wrangler: without network and prompts. */
export const env = {
  ...process.env,
  CI: "1",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_SEND_METRICS: "false",
};

/** Local secrets and settings. */
export const DEV_VARS = ".dev.vars";

/** Port of the shop under `npm start`, and under `wrangler dev` by default. */
export const LOCAL_PORT = process.env.PORT || "8787";

export const localUrl = (port = LOCAL_PORT): string => `http://localhost:${port}`;

/** True if a server responds at this address. */
export function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}
