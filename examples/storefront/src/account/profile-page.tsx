import type { Schema } from "@storefront-worker/api/client";
import { Field, Tick } from "../parts/field.tsx";
import type { Form } from "../parts/form.ts";
import { Refusal } from "../parts/refusal.tsx";
import { Unverified } from "./overview.tsx";

type Props = { profile: Schema["Profile"]; details: Form; email: Form };

export const ProfilePage = ({ profile, details, email }: Props) => (
  <>
    <h1>Profile</h1>
    <section class="panel">
      <h2>Your details</h2>
      <Refusal form={details} fields={["name", "phone", "company"]} />
      <form method="post" action="/account/profile" class="fields">
        <Field form={details} name="name" label="Name" autocomplete="name" maxlength={100} />
        <Field
          form={details}
          name="phone"
          label="Phone (optional)"
          type="tel"
          autocomplete="tel"
          hint="With country code, such as +44"
          required={false}
          maxlength={40}
        />
        <Field
          form={details}
          name="company"
          label="Company (optional)"
          autocomplete="organization"
          required={false}
          maxlength={200}
        />
        <Tick form={details} name="accepts_marketing" label="Send me news and offers by e-mail" />
        <div>
          <button type="submit">Save</button>
        </div>
      </form>
    </section>
    <Unverified profile={profile} />
    <section class="panel" id="email-address">
      <h2>E-mail address</h2>
      <p>
        <strong>{profile.email}</strong> {profile.email_verified_at && <span class="status good">Verified</span>}
      </p>
      <details open={email.message !== undefined}>
        <summary>Change the address</summary>
        <Refusal form={email} fields={["email", "current_password"]} />
        <form method="post" action="/account/email" class="fields">
          <Field
            form={email}
            name="email"
            label="New e-mail address"
            type="email"
            autocomplete="email"
            maxlength={254}
          />
          <CurrentPassword form={email} />
          <div>
            <button type="submit">Change address</button>
          </div>
        </form>
      </details>
    </section>
  </>
);

/** The current password, required for changes that a stranger at an unlocked device must not make. */
export const CurrentPassword = ({ form }: { form: Form }) => (
  <Field
    form={form}
    name="current_password"
    label="Current password"
    type="password"
    autocomplete="current-password"
    maxlength={128}
  />
);
