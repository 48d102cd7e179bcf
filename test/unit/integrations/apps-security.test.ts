import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** Attacks by RFC 9700 (Best Current Practice for OAuth 2.0 Security), each with tests in test/oauth that prove what prevents it. */
const attacks: Record<string, [file: string, test: string][]> = {
  "2.1.1 the code grant needs PKCE": [["bad-input", "without a challenge"]],
  "2.1.2 there is no implicit grant": [["bad-input", "for a token in the address"]],
  "2.3 tokens are for one resource and few permissions": [
    ["installation", "is only valid for the resource that it was asked for"],
    ["installation", "lets an app call the API with the permissions that an administrator chose, and no others"],
    ["shoppers", "cannot use its token for another resource"],
    ["shoppers", "may never %s"],
  ],
  "2.4 there is no password grant": [["bad-input", "for another grant"]],
  "2.5 clients authenticate": [["bad-input", "of a client with a secret needs the secret, in one way"]],
  "2.6 metadata is published": [["standard-clients", "completes the whole flow with a certified client"]],
  "4.1 redirect addresses are compared exactly": [
    ["bad-input", "to the registered address in other case"],
    ["bad-input", "to the registered host before an at sign"],
    ["bad-input", "lets a program on the person's own computer choose its port, and nothing else"],
  ],
  "4.2 no code leaks by a referrer": [
    ["bad-input", "has headers on every page, and error, that no site can frame or read it"],
  ],
  "4.3 no token is in an address": [["bad-input", "is never read from the address"]],
  "4.4 mixed-up servers are noticed": [
    ["installation", "returns a code once, with the state and the issuer, and never caches tokens"],
  ],
  "4.5 an injected code is of no use": [
    ["bad-input", "with another verifier"],
    ["bad-input", "of another client"],
    ["bad-input", "is exchanged by one of two at the same instant"],
    ["bad-input", "that comes back ends what it was exchanged for"],
    ["ended-codes", "ends what a code was exchanged for when it comes back, also after its administrator was demoted"],
  ],
  "4.6 an injected token is of no use": [
    ["shoppers", "gets new tokens of its session, which never become the shopper's own"],
  ],
  "4.7 consent cannot be forged": [
    ["bad-input", "cannot be framed, nor its form be sent by another site"],
    ["bad-input", "of shoppers cannot be framed, nor its form be sent by another site"],
    ["installation", "asks for the password before it installs anything"],
  ],
  "4.8 PKCE cannot be downgraded": [
    ["bad-input", "with a plain challenge"],
    ["bad-input", "without a method of the challenge"],
    ["bad-input", "without its verifier"],
  ],
  "4.9 a leaked token ends": [
    ["installation", "is refused in every region at the next request after the app is removed"],
    ["installation", "ends with all that belongs to it when the app revokes it"],
    ["blocked", "blocks an app that describes itself for the whole shop, at once"],
  ],
  "4.10 a stolen token expires": [
    ["installation", "expires after an hour, and a refresh token after ninety days without use"],
  ],
  "4.11 the shop redirects nowhere by itself": [
    ["bad-input", "to another site"],
    ["bad-input", "but not by itself to one that nobody registered, because the shop would lead anywhere"],
    ["bad-input", "verifies the request again when its form is sent"],
  ],
  "4.12 a password is never sent on": [
    ["bad-input", "has headers on every page, and error, that no site can frame or read it"],
  ],
  "4.14 refresh tokens rotate": [
    ["installation", "ends its family when it comes back after it was replaced"],
    ["installation", "is only for the client and the resource that it was issued to"],
    ["shoppers", "keeps its refresh token after it asked for another resource"],
    ["ended-codes", "of the exchange of a code of %s, without leaving a session"],
  ],
  "4.15 a client is never taken for a person": [["shoppers", "has none of the powers that its shopper has as staff"]],
  "4.16 no page can be framed": [
    ["bad-input", "has headers on every page, and error, that no site can frame or read it"],
  ],
};

it.each(Object.entries(attacks))("%s", (_, tests) => {
  for (const [file, test] of tests) {
    const source = readFileSync(`test/oauth/${file}.test.ts`, "utf8");
    expect(source, file).toContain(`"${test}"`);
  }
});
