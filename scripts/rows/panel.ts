import { beginSession, signPanelToken } from "../../src/panel/session/token.ts";
import type { Callers } from "../bench/callers.ts";

/** Cookie headers of administrators who are signed in to the panel. */
export async function openPanel({ settings, newUsers }: Callers, count: number) {
  const users = await newUsers(count, "admin");
  const now = Date.now();
  return Promise.all(
    users.map(async ({ id, sessionId }) => {
      const session = beginSession({ userId: id, sessionId, authenticatedAt: now }, now);
      return { Cookie: `panel=${(await signPanelToken(settings, session)).token}` };
    }),
  );
}
