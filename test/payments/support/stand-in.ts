import { env } from "cloudflare:workers";
import type { Scripted, Sent } from "../stand-in/http.ts";

const ask = async <T>(path: string, init?: RequestInit): Promise<T> =>
  (await fetch(`${env.STRIPE_API_URL}${path}`, init)).json<T>();

/** Requests that reached a provider and mention a text, oldest first. */
export const sent = async (about: string, line = ""): Promise<Sent[]> =>
  (await ask<Sent[]>(`/sent/${encodeURIComponent(about)}`)).filter((request) => request.line.startsWith(line));

/** Restores the provider's normal responses. */
export const forget = (line: string) => ask("/forget", { method: "POST", body: JSON.stringify({ line }) });

/** Makes a provider give other responses to the next requests. */
export const script = ({
  times = 1,
  body = {},
  ...how
}: Partial<Scripted> & Pick<Scripted, "line" | "about" | "status">) =>
  ask("/scripts", { method: "POST", body: JSON.stringify({ ...how, times, body }) });
