/** How many keys are remembered: about a megabyte of the isolate's 128. */
const MAX_KEYS = 4_000;

/** The keys that this isolate was asked for last, whether it still has their responses or not. */
export class RequestedKeys {
  #keys = new Set<string>();

  /** Whether the key was asked for before; from now on it was. */
  again(key: string): boolean {
    const known = this.#keys.delete(key);
    this.#keys.add(key);
    for (const oldest of this.#keys) {
      if (this.#keys.size <= MAX_KEYS) break;
      this.#keys.delete(oldest);
    }
    return known;
  }
}
