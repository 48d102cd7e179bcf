import * as z from "zod";
import { deviceOf } from "../../../domain/device.ts";
import { formatMoment } from "../../../domain/moment.ts";

/** When something was done, in epoch milliseconds, and from where: as `sessionClientOf` tells of a request. */
export const Occasion = z.strictObject({
  at: z.int(),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
});

export const sampleOccasion = {
  at: Date.UTC(2026, 0, 15, 9, 30),
  address: "192.0.2.7",
  userAgent: "Mozilla/5.0 (Macintosh; Intel Mac OS X 14.4) Firefox/128.0",
};

export const occasionFacts = ({ at, address, userAgent }: z.output<typeof Occasion>): Record<string, string> => ({
  When: formatMoment(at),
  ...(address !== null && { "IP address": address }),
  // In its own words it could say anything, to whoever reads the e-mail.
  ...(userAgent !== null && { Device: deviceOf(userAgent) ?? "Another program" }),
});
