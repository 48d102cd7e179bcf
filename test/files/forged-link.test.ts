import { env } from "cloudflare:workers";
import { decodeJwt, SignJWT } from "jose";
import { expect, it } from "vitest";
import { anArchive, follow, linkTo } from "../support/links.ts";

it.each([
  ["download", 200],
  ["panel", 403],
])("opens only if it was signed for a %s", async (audience, expected) => {
  const url = new URL(await linkTo((await anArchive()).id));
  const [secret = ""] = env.LINK_SECRET.split(",");
  const claims = decodeJwt(url.searchParams.get("token") ?? "");
  const token = await new SignJWT({ ...claims, aud: audience })
    .setProtectedHeader({ alg: "HS256" })
    .sign(new TextEncoder().encode(secret));
  url.searchParams.set("token", token);
  expect((await follow(url.href)).status).toBe(expected);
});
