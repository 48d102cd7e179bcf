import { createStorefront } from "../../../src/client/index.ts";
import type { OpenShop } from "../checkout.ts";

// What the API says of what the example did.

async function asCustomer({ base_url, customer, api_keys }: OpenShop) {
  const api = createStorefront({ baseUrl: base_url, credential: api_keys.premium });
  const { data } = await api.POST("/api/v1/user/auth/login", { body: customer });
  return api.as(data.token);
}

export async function chargesOf(shop: OpenShop): Promise<number> {
  const customer = await asCustomer(shop);
  let charges = 0;
  for await (const { kind } of customer.each("/api/v1/user/account/transactions")) if (kind === "charge") charges++;
  return charges;
}

export async function sha256Of(shop: OpenShop, name: string): Promise<string | undefined> {
  for await (const file of (await asCustomer(shop)).each("/api/v1/user/files")) {
    if (file.name === name) return file.sha256;
  }
  return undefined;
}

export async function fillWallet({ base_url, api_keys }: OpenShop, email: string): Promise<void> {
  const api = createStorefront({ baseUrl: base_url, credential: api_keys.premium });
  const { data: users } = await api.GET("/api/v1/admin/users", { params: { query: { search: email } } });
  for (const { id } of users) {
    const body = { amount: 100, reason: "To spend" };
    await api.POST("/api/v1/admin/users/{id}/credit", { params: { path: { id } }, body });
  }
}
