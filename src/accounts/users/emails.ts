import * as z from "zod";
import { deviceOf } from "../../platform/auth/client.ts";
import type { Sentence } from "../../platform/email/messages.ts";
import { type Letter, template } from "../../platform/email/template.ts";

const erasureRequested = template({
  page: null,
  params: z.strictObject({}),
  sample: {},
  content: ({ say }) => ({
    subject: "Your account at {shop} will be erased",
    introduction:
      "Your account at {shop} has been signed out everywhere. Its personal data will be erased in seven days.",
    blocks: [
      say("To keep your account, sign in before then and cancel the erasure."),
      say("If this was not you, do so immediately, change your password and contact us."),
    ],
  }),
});

const customerInvitation = template({
  page: "reset",
  params: z.strictObject({}),
  sample: {},
  content: ({ say }) => ({
    subject: "Your account at {shop}",
    introduction: "{shop} opened an account for you. Choose a password to see your orders and addresses there.",
    blocks: [
      { link: say("Choose a password") },
      say("The link works once and expires in 72 hours. Only the newest link works."),
      say(
        "If you did not expect this, ignore this e-mail. Nobody can sign in to the account until you choose a password.",
      ),
    ],
  }),
});

const passwordReset = template({
  page: "reset",
  params: z.strictObject({}),
  sample: {},
  content: ({ say }) => ({
    subject: "Reset your password for {shop}",
    introduction: "Someone, probably you, asked to reset the password of your account at {shop}.",
    blocks: [
      { link: say("Reset your password") },
      say("The link works once and expires in 30 minutes. Only the newest link works."),
      say("If you did not ask for this, ignore this e-mail. Your password stays the same."),
    ],
  }),
});

const sampleOccasion = {
  at: Date.UTC(2026, 0, 15, 9, 30),
  address: "192.0.2.7",
  userAgent: "Mozilla/5.0 (Macintosh; Intel Mac OS X 14.4) Firefox/128.0",
};

/** Time in epoch milliseconds and origin of an action, as returned by `sessionClientOf`. */
const Occasion = z.strictObject({
  at: z.int(),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
});

/** A security notice: when and where something was done, and what to do if it was someone else. */
const notice = (subject: Sentence, introduction: Sentence, otherwise: Sentence) =>
  template({
    page: null,
    params: Occasion,
    sample: sampleOccasion,
    content: (letter, occasion) => ({
      subject,
      introduction,
      blocks: [{ facts: occasionFacts(letter, occasion) }, letter.say(otherwise)],
    }),
  });

const occasionFacts = ({ say, moment }: Letter, { at, address, userAgent }: z.output<typeof Occasion>) => ({
  [say("When")]: moment(at),
  ...(address !== null && { [say("IP address")]: address }),
  // The raw text could contain any message to the reader.
  ...(userAgent !== null && { [say("Device")]: deviceOf(userAgent) ?? say("Another program") }),
});

const passwordChanged = notice(
  "Your password for {shop} was changed",
  "The password of your account at {shop} was changed, and all other sessions have ended.",
  "If this was not you, reset your password immediately and contact us.",
);

const newSignIn = notice(
  "New sign-in to {shop}",
  "Someone signed in to your account at {shop} from a place where you have not signed in recently.",
  "If this was you, you can ignore this e-mail. If not, change your password immediately, which ends all other sessions.",
);

const twoFactorEnabled = notice(
  "Two-factor authentication is on for your account at {shop}",
  "Signing in to your account at {shop} now requires a code from your authenticator app. All other sessions have ended.",
  "If this was not you, contact us immediately.",
);

const twoFactorRemoved = notice(
  "Two-factor authentication was removed from your account at {shop}",
  "We removed two-factor authentication from your account at {shop} and ended all sessions. You can now sign in with your password alone.",
  "If you did not ask for this, change your password immediately and contact us.",
);

const twoFactorDisabled = notice(
  "Two-factor authentication is off for your account at {shop}",
  "You can now sign in to your account at {shop} with your password alone.",
  "If this was not you, change your password immediately and contact us.",
);

const NOT_YOU: Sentence = "If this was not you, ignore this e-mail. Nothing happens unless the link is opened.";

const emailVerification = template({
  page: "verify",
  params: z.strictObject({}),
  sample: {},
  content: ({ say }) => ({
    subject: "Verify your e-mail address for {shop}",
    introduction: "Someone, probably you, created an account at {shop} with this address.",
    blocks: [{ link: say("Verify this address") }, say("The link works once and expires in 72 hours."), say(NOT_YOU)],
  }),
});

const emailChange = template({
  page: "confirm",
  params: z.strictObject({}),
  sample: {},
  content: ({ say }) => ({
    subject: "Confirm your new e-mail address for {shop}",
    introduction:
      "Someone, probably you, wants to use this address for an account at {shop}. The account keeps its current address until you confirm this one.",
    blocks: [{ link: say("Confirm this address") }, say("The link works once and expires in 24 hours."), say(NOT_YOU)],
  }),
});

const emailProposed = template({
  page: "confirm",
  params: z.strictObject({ newEmail: z.string() }),
  sample: { newEmail: "new@example.com" },
  content: ({ say }, { newEmail }) => ({
    subject: "Approve a new e-mail address for {shop}",
    introduction:
      "{shop} was asked to change the e-mail address of your account. Nothing changes until you approve it.",
    blocks: [
      { facts: { [say("New address")]: newEmail } },
      { link: say("Approve this address") },
      say("The link works once and expires in 72 hours."),
      say(
        "If you did not ask for this, ignore this e-mail. Anyone who reads the new address could sign in to your account.",
      ),
    ],
  }),
});

const emailChanged = template({
  page: "revert",
  params: z.strictObject({ ...Occasion.shape, newEmail: z.string() }),
  sample: { ...sampleOccasion, newEmail: "new@example.com" },
  content: (letter, { newEmail, ...occasion }) => ({
    subject: "Your e-mail address for {shop} was changed",
    introduction: "Your account at {shop} has a new e-mail address. We will use it from now on.",
    blocks: [
      { facts: { [letter.say("New address")]: newEmail, ...occasionFacts(letter, occasion) } },
      letter.say(
        "If this was not you, restore this address. All sessions end, the password stops working, and you choose a new one.",
      ),
      { link: letter.say("Restore this address") },
      letter.say("The link works once and expires in 72 hours."),
    ],
  }),
});

export const userTemplates = {
  customer_invitation: customerInvitation,
  email_verification: emailVerification,
  email_change: emailChange,
  email_proposed: emailProposed,
  email_changed: emailChanged,
  password_reset: passwordReset,
  password_changed: passwordChanged,
  erasure_requested: erasureRequested,
  new_sign_in: newSignIn,
  two_factor_enabled: twoFactorEnabled,
  two_factor_disabled: twoFactorDisabled,
  two_factor_removed: twoFactorRemoved,
};
