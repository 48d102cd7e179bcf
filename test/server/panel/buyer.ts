import type { OpenShop } from "../checkout.ts";

/** The demo customer, as a client of the API. */
export async function aBuyer({ base_url, customer }: OpenShop) {
  const ask = async (path: string, token?: string, body?: unknown) => {
    const response = await fetch(`${base_url}/api/v1/user${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the test is about
    const { data }: any = await response.json();
    return { status: response.status, data };
  };
  const { data } = await ask("/auth/login", undefined, customer);
  return (path: string, body?: unknown) => ask(path, data.token, body);
}
