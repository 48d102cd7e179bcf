import { type Storage, watched } from "./watched.ts";

export type Trips = Record<Storage, number>;

/** Bindings that count the round trips made through them. */
export function counted(): { bindings: Partial<Env>; trips: Trips } {
  const trips = { d1: 0, durableObjects: 0, r2: 0 };
  const bindings = watched((storage, call) => {
    trips[storage]++;
    return call();
  });
  return { bindings, trips };
}
