import { commonCapabilities, type VersionMapping } from "../mapping.ts";

/** https://ucp.dev/2026-04-08/specification/overview */
export const mappingOfApril2026: VersionMapping = {
  version: "2026-04-08",
  capabilities: {
    ...commonCapabilities,
    "dev.ucp.shopping.fulfillment": ["dev.ucp.shopping.checkout"],
    "dev.ucp.shopping.buyer_consent": ["dev.ucp.shopping.checkout"],
  },
  pages: () => "",
  consents: (consents) =>
    Object.fromEntries(
      Object.entries(consents).map(([purpose, consent]) => [
        nameOf(purpose),
        typeof consent === "boolean" ? consent : consent.granted,
      ]),
    ),
  description: (plain) => plain,
  destination: (address) => address,
  shipping: () => ({}),
  policies: () => ({}),
  orderInProgress: (order) => ({ order }),
};

/** The name of a purpose, which later versions know by an identifier. */
const nameOf = (purpose: string): string =>
  purpose.replace(/^dev\.ucp\.consent\./, "").replace("sale_or_sharing", "sale_of_data");
