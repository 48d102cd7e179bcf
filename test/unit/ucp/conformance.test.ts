import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

// The cases of the protocol's conformance suite (https://github.com/Universal-Commerce-Protocol/conformance, January 2026),
// each with the test that shows what it asks for, or with the reason why the shop does something else. The suite was
// written for version 2026-01-11, which answered problems of a checkout with 400. Since 2026-04-08 they are messages.

type Shown = { by: readonly [file: string, title: string] };
type Declined = { because: string };

const by = (file: string, title: string): Shown => ({ by: [`test/${file}.test.ts`, title] });

const walk = by("ucp/checkout", "leads from a cart to an order, step by step");
const canceled = by("ucp/checkout", "is canceled, and cannot be changed afterwards");
const discounts = by("ucp/sessions", "says where each discount was taken off, and takes codes in any case");
const failed = by(
  "ucp/checkout",
  "leaves a session as it was if the payment fails, with a message, and can be completed again",
);
const ofAccount = by("ucp/identity", "lets an agent order with the shopper's address, wallet and downloads");
const webhook = by(
  "agents/order-webhook",
  "notifies an agent of its order and of each change, signed with the shop's published key",
);
const replayed = by("ucp/checkout", "replays a response by its Idempotency-Key");

const notByAgents = { because: "Agents read orders. The specification has no operation by which they write them" };
const notSimulated = { because: "The shop has no route that pretends to ship an order: staff ship it" };

const cases: Record<string, Record<string, Shown | Declined>> = {
  ap2_test: { test_ap2_mandate_completion: { because: "The shop does not declare the extension for AP2 mandates" } },
  binding_test: {
    test_token_binding_completion: by(
      "ucp/tokens",
      "takes the amount and the currency from the session, whatever the agent sends",
    ),
  },
  business_logic_test: {
    test_totals_calculation_on_create: walk,
    test_totals_recalculation_on_update: walk,
    test_discount_flow: discounts,
    test_multiple_discounts_accepted: discounts,
    test_multiple_discounts_one_rejected: walk,
    test_fixed_amount_discount: discounts,
    test_buyer_consent: walk,
    test_buyer_info_persistence: walk,
  },
  card_credential_test: {
    test_card_credential_payment: { because: "The shop takes no card numbers, only tokens of payment providers" },
  },
  checkout_lifecycle_test: {
    test_create_checkout: walk,
    test_get_checkout: walk,
    test_update_checkout: walk,
    test_cancel_checkout: canceled,
    test_complete_checkout: walk,
    test_cancel_is_idempotent: canceled,
    test_cannot_update_canceled_checkout: canceled,
    test_cannot_complete_canceled_checkout: canceled,
    test_complete_is_idempotent: by("ucp/checkout", "places one order, however often a session is completed at once"),
    test_cannot_update_completed_checkout: walk,
    test_cannot_cancel_completed_checkout: walk,
  },
  fulfillment_test: {
    test_fulfillment_flow: walk,
    test_dynamic_fulfillment: walk,
    test_unknown_customer_no_address: walk,
    test_known_customer_no_address: walk,
    test_known_customer_one_address: ofAccount,
    test_known_customer_multiple_addresses_selection: ofAccount,
    test_known_customer_new_address: ofAccount,
    test_new_user_new_address_persistence: {
      because: "An e-mail address proves no identity: only the shopper adds to their address book",
    },
    test_known_user_existing_address_reuse: ofAccount,
    test_free_shipping_on_expensive_order: by(
      "orders/quote",
      "give free shipping, and make the cheapest purchased unit free",
    ),
    test_free_shipping_for_specific_item: {
      because: "Discounts of the shop make shipping free for orders, not for items",
    },
  },
  idempotency_test: {
    test_idempotency_create: replayed,
    test_idempotency_update: replayed,
    test_idempotency_complete: by(
      "ucp/tokens",
      "answers a repeated Idempotency-Key with the first answer, and charges nothing again",
    ),
    test_idempotency_cancel: replayed,
  },
  invalid_input_test: {
    test_invalid_adjustment_status: notByAgents,
    test_unknown_discount_code: walk,
    test_malformed_adjustment_payload: notByAgents,
  },
  order_test: {
    test_order_retrieval: walk,
    test_order_fulfillment_retrieval: by("ucp/sessions", "keeps the id of a line while others go, and in the order"),
    test_order_update: notByAgents,
    test_order_adjustments: walk,
  },
  protocol_test: {
    test_discovery_urls: by(
      "ucp/catalog",
      "publishes a profile with the shop's capabilities, unless agents are not allowed",
    ),
    test_discovery: by(
      "ucp/versions",
      "is of the newest version and names the older ones, each with a profile of its own",
    ),
    test_version_negotiation: by("ucp/versions", "is refused with the versions that the shop speaks"),
  },
  simulation_url_security_test: {
    test_simulation_endpoint_missing_header: notSimulated,
    test_simulation_endpoint_incorrect_secret: notSimulated,
    test_simulation_endpoint_correct_secret: notSimulated,
  },
  validation_test: {
    test_out_of_stock: by("ucp/checkout", "names items that cannot be bought, and creates no empty session"),
    test_update_inventory_validation: by(
      "ucp/sessions",
      "reports a quantity beyond the stock, and one beyond what a line can have, as messages",
    ),
    test_product_not_found: by("ucp/sessions", "does not find the item %s"),
    test_payment_failure: failed,
    test_complete_without_fulfillment: by("ucp/sessions", "places no order while its delivery is not chosen"),
    test_structured_error_messages: by("ucp/checkout", "refuses %j by the path of the field"),
  },
  webhook_test: {
    test_webhook_event_stream: webhook,
    test_webhook_order_address_known_customer: webhook,
    test_webhook_order_address_new_address: webhook,
  },
};

const all = Object.entries(cases).flatMap(([file, ofFile]) =>
  Object.entries(ofFile).map(([name, answer]): [string, Shown | Declined] => [`${file} ${name}`, answer]),
);

it.each(all)("answers %s", (_name, answer) => {
  if ("because" in answer) return expect(answer.because).not.toBe("");
  const [file, title] = answer.by;
  expect(readFileSync(file, "utf8")).toContain(`"${title}"`);
});
