import { type Answer, callWith } from "./call.ts";

const ACCEPT = { Accept: "application/json, text/event-stream" };

/** Sends one JSON-RPC message to an endpoint and returns the HTTP response, with the message in its body. */
export async function rpc(
  address: string,
  as: string | undefined,
  message: unknown,
  headers: Record<string, string> = {},
  bindings: Partial<Env> = {},
): Promise<Answer> {
  const options = { as, body: message, headers: { ...ACCEPT, ...headers } };
  const answer = await callWith(bindings, `POST https://shop.test${address}`, options);
  if (typeof answer.body !== "string" || answer.body === "") return answer;
  const [, data = "null"] = /^data: (.*)$/m.exec(answer.body) ?? [];
  return { ...answer, body: JSON.parse(data) };
}

export const request = (method: string, params?: object) => ({ jsonrpc: "2.0", id: 1, method, params });

/** A tool's result, parsed from JSON. */
export async function useTool(address: string, as: string, name: string, given: object = {}) {
  const { status, body } = await rpc(address, as, request("tools/call", { name, arguments: given }));
  if (!body.result) return { status, error: body.error };
  const [first, ...others] = body.result.content.map(({ text }: { text: string }) => text);
  return { status, isError: body.result.isError === true, said: first, answer: jsonOf(first), remarks: others };
}

function jsonOf(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
