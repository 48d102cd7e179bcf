import * as z from "zod";
import { deviceOf } from "../../../domain/device.ts";
import { formatMoment } from "../../../domain/moment.ts";
import { template } from "./template.ts";

export const erasureRequested = template({
  page: null,
  params: z.strictObject({}),
  sample: {},
  content: ({ shop }) => ({
    subject: `Your account at ${shop} will be erased`,
    blocks: [
      `Your account at ${shop} was signed out everywhere, and its personal data will be erased in seven days.`,
      "Until then you can undo it: sign in again and choose to keep your account.",
      "If it was not you, do so at once, change your password, and tell us.",
    ],
  }),
});

export const passwordReset = template({
  page: "reset",
  params: z.strictObject({}),
  sample: {},
  content: ({ shop }) => ({
    subject: `Choose a new password for ${shop}`,
    blocks: [
      `Somebody, probably you, asked for a new password for your account at ${shop}.`,
      { link: "Reset your password" },
      "The link works once, for 30 minutes, and only the newest one does.",
      "If you did not ask for it, ignore this e-mail: your password stays as it is.",
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

export const passwordChanged = template({
  page: null,
  params: Occasion,
  sample: sampleOccasion,
  content: ({ shop }, occasion) => ({
    subject: `Your password for ${shop} was changed`,
    blocks: [
      `The password of your account at ${shop} was changed, and every other session was ended.`,
      { facts: occasionFacts(occasion) },
      "If it was not you, ask for a new password at once, and tell us.",
    ],
  }),
});

/** A security notice: when and from where something was done, and what to do if it was someone else. */
const notice = (subject: string, sentence: string, otherwise: string) =>
  template({
    page: null,
    params: Occasion,
    sample: sampleOccasion,
    content: ({ shop }, occasion) => ({
      subject: subject.replace("{shop}", shop),
      blocks: [sentence.replace("{shop}", shop), { facts: occasionFacts(occasion) }, otherwise],
    }),
  });

const occasionFacts = ({ at, address, userAgent }: z.output<typeof Occasion>): Record<string, string> => ({
  When: formatMoment(at),
  ...(address !== null && { "IP address": address }),
  // The raw text could contain any message to the reader.
  ...(userAgent !== null && { Device: deviceOf(userAgent) ?? "Another program" }),
});

export const newSignIn = notice(
  "A new sign-in to {shop}",
  "Somebody signed in to your account at {shop} from a place where you have not signed in lately.",
  "If it was you, there is nothing to do. If it was not, change your password at once: that ends every other session.",
);

export const twoFactorEnabled = notice(
  "A second factor protects your account at {shop}",
  "From now on signing in to your account at {shop} takes a code of your authenticator app. Every other session was ended.",
  "If it was not you, tell us at once.",
);

export const twoFactorRemoved = notice(
  "The second factor of your account at {shop} was removed",
  "We removed the second factor of your account at {shop}, and ended every session. From now on the password alone is enough to sign in.",
  "If you did not ask us to, change your password at once, and tell us.",
);

export const twoFactorDisabled = notice(
  "Your account at {shop} has no second factor any more",
  "From now on the password alone is enough to sign in to your account at {shop}.",
  "If it was not you, change your password at once, and tell us.",
);

const NOT_YOU = "If it was not you, ignore this e-mail: nothing happens without the link.";

export const emailVerification = template({
  page: "verify",
  params: z.strictObject({}),
  sample: {},
  content: ({ shop }) => ({
    subject: `Verify your e-mail address for ${shop}`,
    blocks: [
      `Somebody, probably you, opened an account at ${shop} with this address.`,
      { link: "Verify this address" },
      "The link works once, for 72 hours.",
      NOT_YOU,
    ],
  }),
});

export const emailChange = template({
  page: "confirm",
  params: z.strictObject({}),
  sample: {},
  content: ({ shop }) => ({
    subject: `Confirm your new e-mail address for ${shop}`,
    blocks: [
      `Somebody, probably you, wants to use this address for an account at ${shop}. Until you confirm it, the account keeps the one that it has.`,
      { link: "Confirm this address" },
      "The link works once, for 24 hours.",
      NOT_YOU,
    ],
  }),
});

export const emailProposed = template({
  page: "confirm",
  params: z.strictObject({ newEmail: z.string() }),
  sample: { newEmail: "new@example.com" },
  content: ({ shop }, { newEmail }) => ({
    subject: `Approve a new e-mail address for ${shop}`,
    blocks: [
      `${shop} was asked to change the e-mail address of your account. Nothing changes until you approve it.`,
      { facts: { "New address": newEmail } },
      { link: "Approve this address" },
      "The link works once, for 72 hours.",
      "If you did not ask for this, ignore this e-mail. Anyone who reads the new address could sign in to your account.",
    ],
  }),
});

export const emailChanged = template({
  page: "revert",
  params: z.strictObject({ ...Occasion.shape, newEmail: z.string() }),
  sample: { ...sampleOccasion, newEmail: "new@example.com" },
  content: ({ shop }, { newEmail, ...occasion }) => ({
    subject: `Your e-mail address for ${shop} was changed`,
    blocks: [
      `Your account at ${shop} has another e-mail address from now on. We will write to that one.`,
      { facts: { "New address": newEmail, ...occasionFacts(occasion) } },
      "If it was not you, go back to this address: every session ends, the password does not work any more, and you choose a new one.",
      { link: "Restore this address" },
      "The link works once, for 72 hours.",
    ],
  }),
});
