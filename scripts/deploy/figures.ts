import * as z from "zod";
import type { Deployment } from "./config.ts";
import { query } from "./platform.ts";

/** Number of requests to a version, and of its failures. */
export type Figures = { requests: number; errors: number };

/** A source of figures, by version, from a given time on. */
export type Source = { name: string; read: (versions: string[], since: number) => Promise<Map<string, Figures>> };

const Row = z.object({ version: z.string(), requests: z.number(), errors: z.number() });

const MINUTE_MS = 60_000;

/** Figures that the Worker counts: responses with 5xx are failures. */
const workersCounts = (deployment: Deployment): Source => ({
  name: "counts of the Worker",
  read: async (versions, since) => {
    const names = versions.map((id) => `'${id}'`).join(", ");
    const rows = query(
      deployment,
      `SELECT version, sum(requests) AS requests, sum(server_errors) AS errors FROM request_counts
        WHERE period = 'minute' AND start >= ${Math.floor(since / MINUTE_MS) * MINUTE_MS} AND version IN (${names}) GROUP BY version`,
    );
    return new Map(
      z
        .array(Row)
        .parse(rows)
        .map(({ version, ...figures }) => [version, figures]),
    );
  },
});

const QUERY = `query ($account: string!, $worker: string!, $since: Time!) {
  viewer { accounts(filter: { accountTag: $account }) {
    workersInvocationsAdaptive(limit: 100, filter: { scriptName: $worker, datetime_geq: $since }) {
      dimensions { scriptVersion } sum { requests errors }
    }
  } }
}`;

const Invocations = z.array(
  z.object({
    dimensions: z.object({ scriptVersion: z.string() }),
    sum: z.object({ requests: z.number(), errors: z.number() }),
  }),
);
const Analytics = z.object({
  data: z.object({
    viewer: z.object({ accounts: z.array(z.object({ workersInvocationsAdaptive: Invocations })) }),
  }),
});

type Access = { account: string; token: string };

/** Figures of the platform, which also sees exceptions and exceeded limits that the Worker cannot count. */
const platformAnalytics = ({ worker }: Deployment, { account, token }: Access): Source => ({
  name: "analytics of the platform",
  read: async (_, since) => {
    const base = process.env.CLOUDFLARE_API_BASE_URL ?? "https://api.cloudflare.com/client/v4";
    const variables = { account, worker, since: new Date(since).toISOString() };
    const response = await fetch(`${base}/graphql`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ query: QUERY, variables }),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const { data } = Analytics.parse(await response.json());
    const sums = data.viewer.accounts.flatMap(({ workersInvocationsAdaptive }) => workersInvocationsAdaptive);
    return new Map(sums.map(({ dimensions, sum }) => [dimensions.scriptVersion, sum]));
  },
});

/** Every available source. The platform's needs a token with the permission Account Analytics. */
export function sourcesOf(deployment: Deployment): Source[] {
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_ACCOUNT_ID: account } = process.env;
  return [workersCounts(deployment), ...(token && account ? [platformAnalytics(deployment, { account, token })] : [])];
}
