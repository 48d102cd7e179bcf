import type { Schema } from "@storefront-worker/api/client";

type State = Schema["Order"]["status"] | Schema["Package"]["status"];

/** Statuses whose API name would not tell a shopper enough. */
const words: Record<string, string> = {
  pending: "Waiting for payment",
  processing: "Being prepared",
} satisfies Partial<Record<State, string>>;

type Tone = "good" | "bad";

const tones: Record<string, Tone> = {
  processing: "good",
  shipped: "good",
  completed: "good",
  cancelled: "bad",
  expired: "bad",
  revoked: "bad",
} satisfies Partial<Record<State, Tone>>;

/** The status of an order or package: `partially_refunded` is shown as Partially refunded. */
export const Status = ({ of: status }: { of: State }) => {
  const said = words[status] ?? status.replaceAll("_", " ");
  return <span class={`status ${tones[status] ?? ""}`}>{said.charAt(0).toUpperCase() + said.slice(1)}</span>;
};
