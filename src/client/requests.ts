import type { Middleware } from "openapi-fetch";

type Value = string | null | undefined;

/** An API key or a user's token, or a function that returns the current one for each request. Omit it for public routes. */
export type Credential = Value | (() => Value | Promise<Value>);

export const withCredential = (credential: Credential): Middleware => ({
  async onRequest({ request }) {
    const value = typeof credential === "function" ? await credential() : credential;
    if (value) request.headers.set("Authorization", `Bearer ${value}`);
  },
});

const BOOKMARK = "X-D1-Bookmark";

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
        if (this.#latest !== undefined) request.headers.set(BOOKMARK, this.#latest);
      },
      onResponse: ({ request, response }) => {
        const answered = response.headers.get(BOOKMARK);
        if (answered !== null && (this.#latest !== undefined || request.method !== "GET")) this.#keep(answered);
      },
    };
  }

  /** Responses can overtake each other. Bookmarks sort by age. */
  #keep(answered: string): void {
    if (this.#latest === undefined || answered > this.#latest) this.#latest = answered;
  }
}

/** Serializes a body: fields with a file become a form, a single file its bytes, anything else JSON. */
export function serialize(body: unknown): FormData | Blob | string {
  if (body instanceof Blob) return body;
  const isForm = typeof body === "object" && body !== null && Object.values(body).some(isFile);
  return isForm ? formOf(body) : JSON.stringify(body);
}

/** The service reads forms as a stream, so the file comes last. */
function formOf(fields: object): FormData {
  const form = new FormData();
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  for (const [name, value] of entries) {
    if (!isFile(value)) for (const one of [value].flat()) form.append(name, String(one));
  }
  for (const [name, value] of entries) if (isFile(value)) form.append(name, value);
  return form;
}

const isFile = (value: unknown): value is Blob => value instanceof Blob;
