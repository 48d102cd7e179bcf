import { beginSession, signPanelToken } from "../../src/panel/session/token.ts";
import type { Callers } from "../bench/callers.ts";

/** Cookie headers of administrators who are signed in to the panel. */
export async function openPanel(env: Env, { settings, newUsers }: Callers, count: number) {
  const users = await newUsers(count);
  await env.DB.prepare("UPDATE users SET role = 'admin' WHERE id IN (SELECT value FROM json_each(?))")
    .bind(JSON.stringify(users.map(({ id }) => id)))
    .run();
  const now = Date.now();
  return Promise.all(
    users.map(async ({ id, sessionId }) => {
      const session = beginSession({ userId: id, sessionId, authenticatedAt: now }, now);
      return { Cookie: `panel=${(await signPanelToken(settings, session)).token}` };
    }),
  );
}
