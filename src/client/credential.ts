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
