import { EmailRefused, type Sender } from "./sender.ts";

/** Codes that are about this e-mail alone. Any other is about the account or the moment: it may be sent later. */
const REFUSALS = new Set(["E_RECIPIENT_SUPPRESSED", "E_VALIDATION_ERROR", "E_CONTENT_TOO_LARGE"]);

/** Cloudflare's Email Service, by its binding. It takes no id by which it could tell an e-mail that is sent again. */
export const cloudflareSender = (binding: SendEmail): Sender => ({
  deduplicates: false,
  send: async ({ key: _, ...email }) => {
    try {
      await binding.send(email);
    } catch (error) {
      const code = String(Reflect.get(Object(error), "code") ?? "");
      if (REFUSALS.has(code)) throw new EmailRefused(code);
      throw error;
    }
  },
});
