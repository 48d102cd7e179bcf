import { type Permission, permissions, permits } from "../../src/platform/auth/roles.ts";
import type { Operation } from "./document.ts";
import type { Kind } from "./requests.ts";
import type { World } from "./world.ts";

export type Caller = { authorization: string | null; own: Record<string, unknown[]> };

type CallerQuota = Caller & { left: number };

const nonsense = [
  "Bearer",
  "Bearer ",
  "Basic YTpi",
  "Bearer a b",
  "Token x",
  "Bearer eyJhbGciOiJub25lIn0.e30.",
  "sfk_",
];

/**
 * Callers of every kind. Each is replaced before its rate limit is reached, and after a request has revoked its credential.
 */
export class Callers {
  readonly #world: World;
  readonly #held = new Map<string, CallerQuota>();
  #made = 0;

  constructor(world: World) {
    this.#world = world;
  }

  async of(kind: Kind, operation: Operation): Promise<Caller> {
    if (kind === "anonymous") return { authorization: null, own: {} };
    if (kind === "forged") return { authorization: `Bearer sfk_${String(this.#made++).padStart(33, "x")}`, own: {} };
    if (kind === "nonsense") return { authorization: nonsense[this.#made++ % nonsense.length] ?? null, own: {} };
    const name = nameOf(kind, operation);
    const held = this.#held.get(name) ?? (await this.#make(kind, operation));
    held.left--;
    if (held.left > 0) this.#held.set(name, held);
    else this.#held.delete(name);
    return held;
  }

  forget(kind: Kind, operation: Operation): void {
    this.#held.delete(nameOf(kind, operation));
  }

  async #make(kind: Kind, operation: Operation): Promise<CallerQuota> {
    const { newCustomer, newAdministrator, newKey } = this.#world;
    const make = { customer: newCustomer, administrator: newAdministrator };
    const user = kind === "customer" || kind === "administrator";
    const { credential, own } = await (user ? make[kind]() : newKey(granted(kind, operation)));
    return { authorization: `Bearer ${credential}`, own, left: user ? 90 : 900 };
  }
}

/** The permission that an operation requires of a key. Null if it accepts no keys. */
const permissionOf = ({ security }: Operation): Permission | null =>
  (security.flatMap(({ ApiKey }) => ApiKey ?? [])[0] as Permission | undefined) ?? null;

const nameOf = (kind: Kind, operation: Operation) =>
  kind === "key" || kind === "lacking" ? `${kind} ${permissionOf(operation)}` : kind;

function granted(kind: Kind, operation: Operation): string[] {
  const needed = permissionOf(operation);
  if (kind === "lacking") return permissions.filter((held) => needed === null || !permits([held], needed));
  return needed ? [needed] : ["read", "write"];
}
