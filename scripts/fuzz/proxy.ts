import { type Draft, FORM } from "./requests.ts";
import type { Exchange } from "./send.ts";

/**
 * Checks responses of a validating proxy. It may refuse an invalid request, or a form that has a single value instead
 * of a list of one. If it rejects another request or the shop's response, the document is wrong.
 */
export function* checkProxyResponse({ spoiled, body }: Draft, { text }: Exchange): Generator<string> {
  if (text.includes("#VIOLATIONS")) yield "the proxy finds the answer wrong";
  else if (!spoiled && body?.type !== FORM) yield "the proxy finds a good request wrong";
}
