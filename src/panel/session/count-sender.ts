import { limitAddress } from "../../platform/auth/gates.ts";
import type { PageContext } from "../env.ts";

/**
 * Counts the address of a form that anybody may send, before the form is read. The result refuses the form if there were too
 * many, for when its page can show it again.
 */
export async function countSender(c: PageContext): Promise<() => void> {
  const refusal = await limitAddress(c, "sign-in").then(
    () => null,
    (error: unknown) => error,
  );
  return () => {
    if (refusal !== null) throw refusal;
  };
}
