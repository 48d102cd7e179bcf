import type { Middleware } from "openapi-fetch";

const HEADER = "X-D1-Bookmark";

/**
 * The freshness that reads need: at least as recent as this client's writes. Undefined before the first write, so that
 * clients that only read get cached responses.
 */
export class Bookmark {
  #latest: string | undefined;

  constructor(earlier?: string) {
    this.#latest = earlier;
  }

  get latest(): string | undefined {
    return this.#latest;
  }

  /** Carries the bookmark from each response to the next request. */
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

  /** Responses can overtake each other. Bookmarks sort by age. */
  #keep(answered: string): void {
    if (this.#latest === undefined || answered > this.#latest) this.#latest = answered;
  }
}
