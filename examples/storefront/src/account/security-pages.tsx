import type { Schema } from "@storefront-worker/api/client";
import { Day } from "../parts/day.tsx";
import type { Form } from "../parts/form.ts";
import { Refusal } from "../parts/refusal.tsx";
import { NewPassword } from "../session/pages.tsx";
import { deviceOf } from "./device.ts";
import { CurrentPassword } from "./profile-page.tsx";

export const PasswordPage = ({ form }: { form: Form }) => (
  <>
    <h1>Password</h1>
    <section class="panel">
      <p>A new password signs you out everywhere else.</p>
      <Refusal form={form} fields={["password", "current_password"]} />
      <form method="post" action="/account/password" class="fields">
        <CurrentPassword form={form} />
        <NewPassword form={form} />
        <div>
          <button type="submit">Change password</button>
        </div>
      </form>
    </section>
  </>
);

type Session = Schema["AccountSession"];

export const SessionsPage = ({ sessions }: { sessions: Session[] }) => (
  <>
    <h1>Devices</h1>
    <p>Where you are signed in. If you do not recognise one, end it and change your password.</p>
    <ul class="panel rows">
      {sessions.map((session) => (
        <Row session={session} />
      ))}
    </ul>
    {sessions.length > 1 && (
      <form method="post" action="/account/sessions/end-others">
        <button class="soft" type="submit">
          Sign out everywhere else
        </button>
      </form>
    )}
  </>
);

const Row = ({ session: { id, user_agent, address, last_used_at, current } }: { session: Session }) => {
  const device = deviceOf(user_agent);
  return (
    <li>
      <div class="what">
        <strong>{device}</strong>
        <span class="quiet">
          {address && <>{address} · </>}
          {current ? (
            "in use now"
          ) : (
            <>
              last used on <Day at={last_used_at} />
            </>
          )}
        </span>
      </div>
      {current ? (
        <span class="status good">This device</span>
      ) : (
        <form method="post" action={`/account/sessions/${id}/end`}>
          <button class="soft" type="submit" aria-label={`Sign out ${device}`}>
            Sign out
          </button>
        </form>
      )}
    </li>
  );
};

type DeleteProps = { form: Form; profile: Schema["Profile"] };

export const DeletePage = ({ form, profile: { email } }: DeleteProps) => (
  <>
    <h1>Delete account</h1>
    <section class="panel">
      <p>
        Seven days after you delete the account of <strong>{email}</strong>, we erase your name, addresses, cart and
        e-mails, and you lose your downloads. Orders stay in our books without your name. Until then, you can sign in
        and keep the account.
      </p>
      <p>
        <a href="/account/data">Download your data</a> first if you want to keep a copy.
      </p>
      <Refusal form={form} fields={["current_password"]} />
      <form method="post" action="/account/delete" class="fields">
        <CurrentPassword form={form} />
        <div>
          <button class="danger" type="submit">
            Delete my account
          </button>
        </div>
      </form>
    </section>
  </>
);
