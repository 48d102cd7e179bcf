import type { Schema } from "@storefront-worker/api/client";
import { raw } from "hono/html";
import { renderSVG } from "uqr";
import { Day } from "../parts/day.tsx";
import { Field } from "../parts/field.tsx";
import type { Form } from "../parts/form.ts";
import { Refusal } from "../parts/refusal.tsx";
import { CurrentPassword } from "./profile-page.tsx";

const Code = ({ form, hint }: { form: Form; hint: string }) => (
  <Field form={form} name="code" label="Code" autocomplete="one-time-code" hint={hint} maxlength={40} />
);

type Props = { status: Schema["TwoFactorStatus"]; form: Form };

export const TwoFactorPage = ({ status, form }: Props) => (
  <>
    <h1>Two-step sign-in</h1>
    <section class="panel">
      {status.enabled ? (
        <>
          <p>
            <span class="status good">On</span>{" "}
            {status.enabled_at && (
              <>
                since <Day at={status.enabled_at} />
              </>
            )}
          </p>
          <p>
            You have {status.recovery_codes_left} recovery {status.recovery_codes_left === 1 ? "code" : "codes"} left in
            case you lose your phone.
          </p>
        </>
      ) : (
        <p>
          When you sign in, you enter your password and then a code from an app on your phone. Nobody can sign in with
          your password alone.
        </p>
      )}
      <Refusal form={form} fields={["code", "current_password"]} />
      {status.enabled ? (
        <form method="post" action="/account/two-factor/recovery-codes" class="fields">
          <Code form={form} hint="From your authenticator app, or a recovery code" />
          <div class="choices">
            <button type="submit" class="soft">
              Get new recovery codes
            </button>
            <button type="submit" class="danger" formaction="/account/two-factor/disable">
              Turn off
            </button>
          </div>
        </form>
      ) : (
        <form method="post" action="/account/two-factor" class="fields">
          <CurrentPassword form={form} />
          <div>
            <button type="submit">Set up</button>
          </div>
        </form>
      )}
    </section>
  </>
);

/** The API also sends a QR code. It is too large for the cookie that keeps the secret, so it is drawn here. */
export const EnrolPage = ({ secret, uri, form }: { secret: string; uri: string; form: Form }) => (
  <>
    <h1>Two-step sign-in</h1>
    <section class="panel">
      <h2>1. Add the account to your authenticator app</h2>
      <p>
        Scan this code, or on your phone <a href={uri}>open the app</a>.
      </p>
      <div class="qr" role="img" aria-label="QR code for your authenticator app">
        {raw(renderSVG(uri, { border: 4, ecc: "M" }))}
      </div>
      <p class="quiet">
        The app cannot scan? Type this key: <code>{secret.match(/.{1,4}/g)?.join(" ")}</code>
      </p>
    </section>
    <section class="panel">
      <h2>2. Enter the code that the app shows</h2>
      <Refusal form={form} fields={["code"]} />
      <form method="post" action="/account/two-factor/confirm" class="fields">
        <Code form={form} hint="Six digits" />
        <div class="choices">
          <button type="submit">Turn on</button>
          <button type="submit" class="soft" formaction="/account/two-factor/cancel" formnovalidate>
            Cancel
          </button>
        </div>
      </form>
    </section>
  </>
);

export const CodesPage = ({ codes }: { codes: string[] }) => (
  <>
    <h1>Your recovery codes</h1>
    <section class="panel">
      <p>
        Write them down or store them safely: they are <strong>shown only now</strong>. Each signs you in once without
        the app.
      </p>
      <ul class="secrets">
        {codes.map((code) => (
          <li>{code}</li>
        ))}
      </ul>
      <p>
        <a class="button" href="/account/two-factor">
          I have stored them
        </a>
      </p>
    </section>
  </>
);
