import { expect, it } from "vitest";
import { operations } from "../../../../scripts/fuzz/document.ts";

const statusesOf = (id: string): string[] =>
  Object.keys(operations.find(({ operationId }) => operationId === id)?.responses ?? {});

it.each([
  ["revokeApiKey", "409"],
  ["receivePaymentWebhook", "403"],
])("does not document for %s the %s that nothing returns", (id, status) => {
  const statuses = statusesOf(id);
  expect(statuses).toContain("400");
  expect(statuses).not.toContain(status);
});
