import type { Result, Router } from "hono/router";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { TrieRouter } from "hono/router/trie-router";

/**
 * hono's fastest router cannot tell `/orders/new` from `/orders/:id`, and one such pair would give every request the slower
 * one. So what is busy has its own; the panel, where such pairs are, has the other.
 */
export class RouterByArea<T> implements Router<T> {
  name = "RouterByArea";
  #busy = new RegExpRouter<T>();
  #calm = new TrieRouter<T>();

  add(method: string, path: string, handler: T): void {
    if (!isCalm(path)) this.#busy.add(method, path, handler);
    this.#calm.add(method, path, handler);
  }

  match(method: string, path: string): Result<T> {
    return (isCalm(path) ? this.#calm : this.#busy).match(method, path);
  }
}

const isCalm = (path: string): boolean => /^\/admin(\/|$)/.test(path);
