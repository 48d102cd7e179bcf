type Tone = "good" | "busy" | "bad" | "calm";

const tones: Record<string, Tone> = {
  active: "good",
  completed: "good",
  fulfilled: "good",
  paid: "good",
  published: "good",
  processing: "busy",
  pending: "busy",
  requires_action: "busy",
  shipped: "busy",
  unfulfilled: "busy",
  unpaid: "busy",
  expired: "bad",
  exhausted: "bad",
  failed: "bad",
  disabled: "bad",
  revoked: "bad",
};

/** A status by its name on the wire; one without a tone of its own is calm. */
export const Badge = ({ status, tone = tones[status] ?? "calm" }: { status: string; tone?: Tone }) => (
  <span class={`badge ${tone}`}>{status.replaceAll("_", " ")}</span>
);
