import { Occasion, occasionFacts, sampleOccasion } from "./occasion.ts";
import { template } from "./template.ts";

/** What an account is told of how it is signed in to: when and from where something was done, and what to do if by others. */
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
