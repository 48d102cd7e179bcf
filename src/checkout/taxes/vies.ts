import * as z from "zod";
import { beginningOf } from "../../domain/text.ts";
import type { VatCheck } from "../../platform/db/schema.ts";
import { logFault } from "../../platform/http/log.ts";
import { fetchDocument, type Resolver } from "../../platform/http/outbound.ts";

// VIES, the European Commission's service that knows the VAT IDs of all member states. Its REST interface is described at
// ec.europa.eu/taxation_customs/vies/#/technical-information (swagger_publicVAT.yaml). A consultation number is given to
// requesters who name their own VAT ID.

/** Checkouts wait for the answer. */
const TIMEOUT_MS = 3_000;
const MOST_BYTES = 20_000;
const MOST_NAME = 200;

/** Errors such as MS_UNAVAILABLE come without `valid`. A member state that does not tell a name answers `---`. */
const ViesResponse = z.object({
  valid: z.boolean(),
  name: z.string().nullish(),
  requestIdentifier: z.string().nullish(),
});

type ViesAnswer = Pick<VatCheck, "status" | "name" | "consultationNumber">;

/** Asks VIES whether a VAT ID is valid. */
export async function askVies(
  { viesUrl, webhooks: resolver }: { viesUrl: string; webhooks: Resolver },
  { vatId, requester }: { vatId: string; requester: string },
): Promise<ViesAnswer> {
  try {
    const { text } = await fetchDocument(new URL(`${viesUrl}/check-vat-number`), {
      agent: "storefront",
      mostBytes: MOST_BYTES,
      resolver,
      timeoutMs: TIMEOUT_MS,
      sent: {
        countryCode: vatId.slice(0, 2),
        vatNumber: vatId.slice(2),
        requesterMemberStateCode: requester.slice(0, 2),
        requesterNumber: requester.slice(2),
      },
    });
    const { valid, name, requestIdentifier } = ViesResponse.parse(JSON.parse(text));
    return {
      status: valid ? "valid" : "invalid",
      name: name && /[^\s-]/.test(name) ? beginningOf(name, MOST_NAME) : null,
      consultationNumber: requestIdentifier || null,
    };
  } catch (error) {
    logFault("VIES unavailable", error);
    return { status: "unavailable", name: null, consultationNumber: null };
  }
}
