import { DAY_MS } from "../../src/domain/time.ts";
import type { Database } from "../../src/platform/db/client.ts";
import { requestCounts } from "../../src/platform/db/schema.ts";
import { insertRows } from "../../src/platform/db/statements.ts";
import { KEPT_DAYS } from "../../src/platform/metrics/figures.ts";

const ROWS_AT_ONCE = 500;

/** Routes that a storefront's key calls: requests on an ordinary day, and the percentage of errors. */
const routes: [route: string, requests: number, errors: number][] = [
  ["GET /api/v1/user/products", 420, 0],
  ["GET /api/v1/user/products/{id}", 260, 1],
  ["GET /api/v1/user/categories", 90, 0],
  ["POST /api/v1/user/cart", 34, 4],
  ["POST /api/v1/user/orders", 6, 8],
];

/** Requests of a key in the last 90 days. They grow, are higher at weekends, and exceed the limit on one busy day. */
export async function seedRequests(db: Database, keyId: number, now: number): Promise<void> {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const rows = Array.from({ length: KEPT_DAYS.day }, (_, age) => today - age * DAY_MS).flatMap((start, age) =>
    routes.map(([route, usual, share], place) => {
      const weekend = [0, 6].includes(new Date(start).getUTCDay()) ? 1.4 : 1;
      const busy = age === 23 ? 2.5 : 1;
      const wave = 1 + 0.12 * Math.sin(age * 1.7 + place);
      const requests = Math.round(usual * weekend * busy * wave * (1.4 - age / 200));
      const [quick, slow] = [Math.round(requests * 0.8), Math.round(requests * 0.03)];
      return {
        period: "day" as const,
        caller: `api_key:${keyId}`,
        start,
        route,
        version: "",
        requests,
        refused: age === 23 ? Math.round(requests * 0.07) : 0,
        clientErrors: Math.round((requests * share) / 100),
        duration: quick * 6 + (requests - quick) * 30,
        lastAt: age === 0 ? now : start + DAY_MS - 1,
        ...(place < 3
          ? { to10: quick, to50: requests - quick - slow, to100: slow, to250: 0 }
          : { to10: 0, to50: quick, to100: requests - quick - slow, to250: slow }),
      };
    }),
  );
  for (let first = 0; first < rows.length; first += ROWS_AT_ONCE)
    await db.run(insertRows(requestCounts, rows.slice(first, first + ROWS_AT_ONCE)));
}
