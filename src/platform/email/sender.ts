import type { Rendered } from "./render.tsx";

type Mailbox = { email: string; name: string };

/** `key` is the e-mail's own: the same when it is sent again because no answer came. */
export type OutgoingEmail = Rendered & { key: string; to: string; from: Mailbox };

/** A service that sends e-mails. It throws `EmailRefused` for one that it will never send; anything else is tried again. */
export type Sender = {
  /** Whether one that is sent again under its key is delivered once. */
  deduplicates: boolean;
  send: (email: OutgoingEmail) => Promise<void>;
};

/** The e-mail itself was refused, its recipient for example: it would be again. The message is for administrators. */
export class EmailRefused extends Error {}
