import { expect, it } from "vitest";
import { isReservedDomain } from "../../../src/domain/contact.ts";

it.each([
  "jo@test",
  "jo@shop.test",
  "jo@a.b.example",
  "jo@erased.invalid",
  "jo@mail.localhost",
  "jo@example.com",
  "jo@mail.example.net",
  "jo@EXAMPLE.ORG",
  "jo@shop.Test",
  "jo@shop.test.",
  '"a@shop.com"@shop.test',
  "jo@xn--bcher-kva.example",
])("is reserved: %s", (email) => expect(isReservedDomain(email)).toBe(true));

it.each([
  "jo@contest.com",
  "jo@notexample.com",
  "jo@example.co",
  "jo@example.com.au",
  "jo@test.com",
  "jo@invalid.org",
  "jo@localhost.net",
  "test@shop.com",
  "shop.test@shop.com",
])("can belong to somebody: %s", (email) => expect(isReservedDomain(email)).toBe(false));
