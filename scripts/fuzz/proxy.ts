import { type Draft, FORM } from "./requests.ts";
import type { Exchange } from "./send.ts";

/**
 * Judges responses of a validating proxy. It may refuse a spoiled request, or a form, where it takes a list of one for a
 * single value. If it rejects another request or the shop's response, the document is wrong.
 */
export function* checkProxyResponse({ spoiled, body }: Draft, { text }: Exchange): Generator<string> {
  if (text.includes("#VIOLATIONS")) yield "the proxy finds the answer wrong";
  else if (!spoiled && body?.type !== FORM) yield "the proxy finds a good request wrong";
}
