import { callWith } from "../support/call.ts";
import { settleShop } from "../support/pricing.ts";

/** The profile that the agent of these tests names. */
export const PROFILE = "https://agent.example.com/profile.json";

type Asked = { body?: unknown; headers?: Record<string, string>; bindings?: Partial<Env> };

/** One request of an agent to the REST binding. */
export const ask = (line: string, { body, headers = {}, bindings = {} }: Asked = {}) => {
  const [method, path] = line.split(" ");
  return callWith(bindings, `${method} https://shop.test/ucp/v1${path}`, {
    body,
    headers: { "UCP-Agent": `profile="${PROFILE}"`, ...headers },
  });
};

export const openToAgents = () => settleShop({ agentAccess: "open" });
