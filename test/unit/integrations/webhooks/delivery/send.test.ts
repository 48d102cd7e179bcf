import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { attemptDelivery } from "../../../../../src/integrations/webhooks/delivery/send.ts";
import { newSecret } from "../../../../../src/integrations/webhooks/secrets.ts";

const DESTINATION = { url: "https://receiver.example/webhooks", secrets: [newSecret()] };
const DELIVERY = { id: 1, event_id: 1, body: "{}" };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The error of a delivery attempt with this response, and how many timers ran during the request. */
async function attempted(answer: () => Promise<Response>, refusal: string | null = null) {
  let timers: number | undefined;
  vi.stubGlobal("fetch", () => {
    timers = vi.getTimerCount();
    return answer();
  });
  const { error } = await attemptDelivery(DESTINATION, DELIVERY, () => Promise.resolve(refusal));
  return { error, timers };
}

it("stops the timer of an attempt when it is answered", async () => {
  expect(await attempted(async () => new Response("Thank you"))).toEqual({ error: null, timers: 1 });
  expect(vi.getTimerCount()).toBe(0);
});

it("stops the timer of an attempt that fails or is not made", async () => {
  const lost = () => Promise.reject(new Error("The network is down"));
  expect(await attempted(lost)).toEqual({ error: "The connection failed", timers: 1 });
  expect(await attempted(lost, "leads inward")).toEqual({ error: "The address leads inward", timers: undefined });
  expect(vi.getTimerCount()).toBe(0);
});

it("gives an endpoint 15 seconds to answer", async () => {
  const never = (signal: AbortSignal) =>
    new Promise<Response>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const asked = Promise.withResolvers<void>();
  vi.stubGlobal("fetch", (_: string, { signal }: { signal: AbortSignal }) => {
    asked.resolve();
    return never(signal);
  });
  const made = attemptDelivery(DESTINATION, DELIVERY, () => Promise.resolve(null));
  await asked.promise;
  vi.advanceTimersByTime(14_999);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1);
  expect((await made).error).toBe("No answer within 15 s");
});
