/** The environment in which scripts run wrangler: it uses no network and asks no questions. */
export const env = {
  ...process.env,
  CI: "1",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_SEND_METRICS: "false",
};

/** Secrets and settings of the shop on this machine. */
export const DEV_VARS = ".dev.vars";

/** Where `npm start` serves the shop, and `wrangler dev` unless it is given another port. */
export const LOCAL_URL = `http://localhost:${process.env.PORT || "8787"}`;

/** Whether something serves this address by now. */
export function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}
