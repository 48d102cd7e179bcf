import { ownRuntime } from "../../soak/resident.ts";
import { openWorld } from "../world.ts";
import { apiTargets } from "./api.ts";
import { cpuMs } from "./cpu-time.ts";
import { type Dimension, dimensions, type Target } from "./dimensions.ts";
import { panelTargets } from "./panel.ts";

/** CPU milliseconds of a request grown to a size and to twice that. */
export type Cost = {
  route: string;
  dimension: string;
  /** Null if the doubled cost is noise. */
  once: number | null;
  twice: number;
};

/** Lower costs are noise: the clock ticks every 10 ms, and the runtime does other work. */
const NOISE_MS = 30;

/** Maximum ratio of costs when the input doubles. */
const MOST_GROWTH = 3;

const grewTooMuch = ({ once, twice }: Cost): boolean =>
  once !== null && twice > MOST_GROWTH * Math.max(once, NOISE_MS / 3);

let sent = 0;

/** Grows each dimension of a valid request to every matching route. */
export async function grow(
  seed: number,
  only: RegExp,
  tell: (cost: Cost) => void,
): Promise<{ costs: Cost[]; wrong: Cost[] }> {
  const world = await openWorld({});
  const pid = ownRuntime();
  const targets = [...apiTargets(world, seed), ...(await panelTargets(world))].filter(({ name }) => only.test(name));
  const costs: Cost[] = [];
  const wrong: Cost[] = [];
  for (const target of targets) {
    for (const dimension of dimensions) {
      const cost = await measured(pid, target, dimension);
      if (!cost) continue;
      costs.push(cost);
      if (!grewTooMuch(cost)) continue;
      // Measured again, because another process may have run at the same time.
      const again = [await measured(pid, target, dimension), await measured(pid, target, dimension)];
      if (again.every((each) => each && grewTooMuch(each))) wrong.push(cost);
      tell(cost);
    }
  }
  await world.stop();
  return { costs, wrong };
}

/** Sends the doubled request first: most are so cheap that no other is needed. */
async function measured(pid: number, target: Target, dimension: Dimension): Promise<Cost | null> {
  const { name: route } = target;
  const twice = await leastOf(pid, target, dimension, 2 * dimension.size);
  if (twice === null) return null;
  const once = twice > NOISE_MS ? await leastOf(pid, target, dimension, dimension.size) : null;
  return { route, dimension: dimension.name, once, twice };
}

/** The lower of two costs, or the first if it is noise, because other load only adds to it. */
async function leastOf(pid: number, target: Target, dimension: Dimension, size: number): Promise<number | null> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 2 && least > NOISE_MS; run++) {
    const { url, method, seedling } = await target.open();
    const request = dimension.grow(seedling, size);
    if (!request) return null;
    const query = new URLSearchParams(request.query).toString();
    const headers = {
      ...request.headers,
      ...(request.body && { "Content-Type": request.body.type }),
      "CF-Connecting-IP": `2001:${(++sent >> 16).toString(16)}:${(sent & 0xffff).toString(16)}::1`,
    };
    const before = cpuMs(pid);
    const answer = await fetch(query ? `${url}?${query}` : url, {
      method,
      headers,
      body: request.body?.text ?? null,
      redirect: "manual",
    }).catch(() => null);
    await answer?.arrayBuffer();
    least = Math.min(least, cpuMs(pid) - before);
  }
  return least;
}
