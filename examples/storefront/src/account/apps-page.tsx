import type { Schema } from "@storefront-worker/api/client";
import { Day } from "../parts/day.tsx";

type Session = Schema["AccountSession"];

/** Apps that the shopper connected on the shop's consent page. Each has a session of the account. */
export const AppsPage = ({ sessions }: { sessions: Session[] }) => (
  <>
    <h1>Connected apps</h1>
    <p>Apps and shopping agents that you let use your account. An app that you remove loses access immediately.</p>
    {sessions.length === 0 ? (
      <p class="panel">No app is connected.</p>
    ) : (
      <ul class="panel rows">
        {sessions.map(({ id, app, created_at, last_used_at }) => (
          <li>
            <div class="what">
              <strong>{app}</strong>
              <span class="quiet">
                connected on <Day at={created_at} /> · last used on <Day at={last_used_at} />
              </span>
            </div>
            <form method="post" action={`/account/apps/${id}/remove`}>
              <button class="soft" type="submit" aria-label={`Remove ${app}`}>
                Remove
              </button>
            </form>
          </li>
        ))}
      </ul>
    )}
  </>
);
