import { commonCapabilities, type VersionMapping } from "../mapping.ts";

/** https://ucp.dev/2026-08-25/specification/overview */
export const mappingOfAugust2026: VersionMapping = {
  version: "2026-08-25",
  capabilities: {
    ...commonCapabilities,
    "dev.ucp.shopping.fulfillment": [
      "dev.ucp.shopping.catalog.search",
      "dev.ucp.shopping.catalog.lookup",
      "dev.ucp.shopping.checkout",
    ],
    "dev.ucp.shopping.buyer_consent": ["dev.ucp.shopping.cart", "dev.ucp.shopping.checkout"],
  },
  pages: (area) => `${area}/`,
  consents: (consents) =>
    Object.fromEntries(
      Object.entries(consents).map(([purpose, consent]) => {
        const { segments, ...state } = stateOf(consent);
        const shown = segments && Object.entries(segments).map(([key, segment]) => [key, described(key, segment)]);
        return [
          identifierOf(purpose),
          { ...described(identifierOf(purpose), state), ...(shown && { segments: Object.fromEntries(shown) }) },
        ];
      }),
    ),
  description: (plain) => ({ plain }),
  destination: (address) => ({ ...address, type: "shipping_address" }),
  shipping: (availability) => ({ fulfillment: { methods: [{ type: "shipping", availability }] } }),
  policies: (links) => ({
    policies: links
      .filter(({ type }) => type === "refund_policy")
      .map(({ url, title }) => ({ type: "dev.ucp.shopping.policy.return", description: { plain: title }, url })),
  }),
  orderInProgress: () => ({}),
};

type Consent = Parameters<VersionMapping["consents"]>[0][string];

/** Older versions record the decision alone, which is the buyer's. */
const stateOf = (consent: Consent): Exclude<Consent, boolean> =>
  typeof consent === "boolean" ? { granted: consent, source: "platform" } : consent;

const CONSENT = "dev.ucp.consent.";

const identifierOf = (purpose: string): string =>
  purpose.includes(".") ? purpose : CONSENT + purpose.replace("sale_of_data", "sale_or_sharing");

const descriptions: Record<string, string> = {
  [`${CONSENT}analytics`]: "Measuring how the shop is used",
  [`${CONSENT}marketing`]: "Marketing messages",
  [`${CONSENT}marketing.email`]: "Marketing by e-mail",
  [`${CONSENT}marketing.sms`]: "Marketing by text message",
  [`${CONSENT}preferences`]: "Remembering preferences",
  [`${CONSENT}sale_or_sharing`]: "Selling or sharing personal data",
};

/** The shop advertises no purposes of its own, so it describes others by their names. */
const described = <State extends object>(key: string, state: State) => ({
  ...state,
  description: descriptions[key] ?? key,
});
