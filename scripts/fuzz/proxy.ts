import { type Draft, FORM } from "./requests.ts";
import type { Exchange } from "./send.ts";

/**
 * Judges what a validating proxy answers by itself. It may refuse a request that was spoiled, or a form, in which it takes a
 * list of one for a single value. Where it finds fault with another one, or with the shop's answer, the document is wrong.
 */
export function* checkProxyResponse({ spoiled, body }: Draft, { text }: Exchange): Generator<string> {
  if (text.includes("#VIOLATIONS")) yield "the proxy finds the answer wrong";
  else if (!spoiled && body?.type !== FORM) yield "the proxy finds a good request wrong";
}
