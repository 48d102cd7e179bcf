import { setTimeout } from "node:timers/promises";
import { signLink } from "../../src/downloads/files/delivery/downloads.ts";
import { RESERVED_MS } from "../../src/platform/rate-limit/reserved-window.ts";
import type { Secrets } from "../../src/platform/settings/settings.ts";
import type { User } from "./callers.ts";

export type HttpRequest = {
  method: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  body?: string;
};

export const API = "/api/v1/user";

export const bearer = (credential: string) => ({ Authorization: `Bearer ${credential}` });

export const get = (path: string, headers: Record<string, string> = {}): HttpRequest => ({
  method: "GET",
  path,
  headers,
});

export const post = (path: string, body: unknown, headers: Record<string, string> = {}): HttpRequest => ({
  method: "POST",
  path,
  headers: { ...headers, "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

export type Goods = { id: number; price: number };

const ADDRESS = { name: "Ada Lovelace", address: "12 St James's Square", city: "London", zip: "SW1Y 4JH" };

/** A user with an address of their own, because requests are limited by address too. */
export const asUser = ({ id, token }: User) => ({ ...bearer(token), "CF-Connecting-IP": addressOf(id) });

let ordered = 0;

/** Orders that all differ, because an equal second one would be refused. */
export const orderOf = (user: User, { id, price }: Goods): HttpRequest => {
  const items = [{ product_id: id, quantity: 1, price: price / 100 }];
  const shipping_address = { ...ADDRESS, address: `${++ordered} St James's Square` };
  return post(`${API}/orders`, { items, shipping_address, payment_method: "wallet" }, asUser(user));
};

export const cartAdditionOf = (user: User, { id }: Goods): HttpRequest =>
  post(`${API}/cart`, { product_id: id, quantity: 1 }, asUser(user));

/** `caller` is any 32-bit number. Each has a network of its own. */
export const loginOf = ({ email }: User, password: string, caller: number): HttpRequest =>
  post(`${API}/auth/login`, { email, password }, { "CF-Connecting-IP": addressOf(caller) });

/** Validates a license key, on a device if one is named. `caller` is any 32-bit number. Each has a network of its own. */
export const validationOf = (caller: number, license_key: string, instance_id?: string): HttpRequest =>
  post(`${API}/licenses/validate`, { license_key, instance_id }, { "CF-Connecting-IP": addressOf(caller) });

/** The address of a caller, any 32-bit number. Each has a network of its own. */
export const addressOf = (caller: number): string =>
  `2001:${(caller >>> 16).toString(16)}:${(caller & 0xffff).toString(16)}::1`;

const LINK_MS = 600_000;

/** Follows an unused link. */
export async function downloadOf(secrets: Secrets, user: User, fileId: number): Promise<HttpRequest> {
  const { sessionId, packageId } = user;
  const link = { id: crypto.randomUUID(), holder: `user:${user.id}`, sessionId, fileId, version: 1, packageId };
  return get(`${API}/downloads?token=${await signLink(secrets, link, Date.now() + LINK_MS)}`, asUser(user));
}

export const send = (url: string, { path, ...request }: HttpRequest): Promise<Response> => fetch(url + path, request);

/** Cycles through the items of a list. */
export function inTurn<T>(items: T[]): (index: number) => T {
  const [first] = items;
  if (first === undefined) throw new Error("There is none to take");
  return (index) => items[index % items.length] ?? first;
}

/** Sends the requests, a few at a time. */
export async function sendAll(url: string, requests: HttpRequest[]): Promise<void> {
  const waiting = requests.values();
  const sender = async () => {
    for (const request of waiting) await (await send(url, request)).arrayBuffer();
  };
  await Promise.all([sender(), sender(), sender(), sender()]);
}

/** Time after which a limiter's reservation has expired and it has stored the actual usage. */
const STORED_MS = RESERVED_MS + 500;

/**
 * Loads the Durable Objects of these requests' callers into memory before the measurement, and waits until they are
 * idle.
 */
export async function introduce(url: string, requests: HttpRequest[]): Promise<void> {
  const byCaller = new Map(requests.map((request) => [request.headers.Authorization, request]));
  byCaller.delete(undefined);
  if (byCaller.size === 0) return;
  await sendAll(url, [...byCaller.values()].map(introductionOf));
  await setTimeout(STORED_MS);
}

/** A request to an unknown route of the shop, which only identifies and counts the caller. */
const introductionOf = (request: HttpRequest): HttpRequest =>
  request.path.startsWith(API) ? get(`${API}/nowhere`, request.headers) : request;
