import type { Middleware } from "openapi-fetch";

const HEADER = "X-D1-Bookmark";

/**
 * How new what is read has to be: as new as what this client wrote. There is none before its first write, so that who only
 * reads is answered from what the catalogue keeps.
 */
export class Bookmark {
  #latest: string | undefined;

  constructor(earlier?: string) {
    this.#latest = earlier;
  }

  get latest(): string | undefined {
    return this.#latest;
  }

  /** Carries it from each answer to the next request. */
  get middleware(): Middleware {
    return {
      onRequest: ({ request }) => {
        if (this.#latest !== undefined) request.headers.set(HEADER, this.#latest);
      },
      onResponse: ({ request, response }) => {
        const answered = response.headers.get(HEADER);
        if (answered !== null && (this.#latest !== undefined || request.method !== "GET")) this.#keep(answered);
      },
    };
  }

  /** Answers overtake each other; bookmarks sort by their age. */
  #keep(answered: string): void {
    if (this.#latest === undefined || answered > this.#latest) this.#latest = answered;
  }
}
