import { env } from "cloudflare:workers";
import type { Scripted, Sent } from "../stand-in/http.ts";

const ask = async <T>(path: string, init?: RequestInit): Promise<T> =>
  (await fetch(`${env.STRIPE_API_URL}${path}`, init)).json<T>();

/** The requests that mention something and reached a provider, oldest first. */
export const sent = async (about: string, line = ""): Promise<Sent[]> =>
  (await ask<Sent[]>(`/sent/${encodeURIComponent(about)}`)).filter((request) => request.line.startsWith(line));

/** Has the next requests answered as ever, whatever was said of them. */
export const forget = (line: string) => ask("/forget", { method: "POST", body: JSON.stringify({ line }) });

/** Has a provider answer the next requests otherwise. */
export const script = ({
  times = 1,
  body = {},
  ...how
}: Partial<Scripted> & Pick<Scripted, "line" | "about" | "status">) =>
  ask("/scripts", { method: "POST", body: JSON.stringify({ ...how, times, body }) });
