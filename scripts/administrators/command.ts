import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import * as z from "zod";
import { hashPassword, randomPassword } from "../../src/accounts/users/sign-in/passwords.ts";
import { Email } from "../../src/domain/contact.ts";
import { line } from "../../src/domain/fields.ts";
import type { Author } from "../../src/platform/auth/caller.ts";
import { useEnvironment } from "../deploy/wrangler.ts";
import { execute, query, type Where } from "./d1.ts";
import { createAdministrator, findAccount, promote, withoutTwoFactor } from "./statements.ts";

const USAGE = `
  npm run admin -- someone@example.com "Their Name"     makes an administrator, and prints the password once
  npm run admin -- promote someone@example.com          makes one of an account that exists, with a new password
  npm run admin -- without-two-factor someone@example.com
                                                        removes the second factor of an account that has lost it

  --env     in the database of this environment of wrangler.toml
  --local   in the database of local development instead of the deployed one`;

const Name = line(100);
const Found = z.array(z.object({ role: z.string(), disabled_at: z.number().nullable(), two_factor: z.number() }));

const OPTIONS = { local: { type: "boolean" }, env: { type: "string" } } as const;

/** Runs the command. Throws a message for the user if nothing was changed. */
export async function administer(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS });
  const where: Where = values.local ? "--local" : "--remote";
  const [first, second, ...more] = positionals;
  if (first === undefined || second === undefined || more.length > 0) throw new Error(USAGE.trim());
  useEnvironment(values.env);
  if (first === "promote") return makeOneOf(where, read(Email, second, "e-mail address"));
  if (first === "without-two-factor") return removeTwoFactor(where, read(Email, second, "e-mail address"));
  await create(where, read(Email, first, "e-mail address"), read(Name, second, "name"));
}

function read(schema: z.ZodType<string>, text: string, what: string): string {
  const { success, data } = schema.safeParse(text);
  if (!success) throw new Error(`This is not ${what === "name" ? "a" : "an"} ${what}: ${JSON.stringify(text)}`);
  return data;
}

/** The author of this command's writes in the audit log. */
function author(): Author {
  return { actor: "system", address: null, requestId: randomUUID(), now: Date.now() };
}

function lookUp(where: Where, email: string) {
  return Found.parse(query(where, findAccount(email)))[0];
}

async function create(where: Where, email: string, name: string): Promise<void> {
  const account = lookUp(where, email);
  if (account?.role === "admin") throw new Error(`${email} is an administrator already. Nothing was changed.`);
  if (account) {
    throw new Error(
      `${email} has an account. To make an administrator of it, with a new password:\n  npm run admin -- promote ${email}`,
    );
  }
  const password = randomPassword();
  const passwordHash = await hashPassword(password);
  execute(where, createAdministrator({ email, name, passwordHash }, author()));
  console.log(`\n  ${email} is an administrator.`);
  tellPassword(password);
}

async function makeOneOf(where: Where, email: string): Promise<void> {
  const account = lookUp(where, email);
  if (!account) throw new Error(`${email} has no account. To make one: npm run admin -- ${email} "Their Name"`);
  if (account.role === "admin") throw new Error(`${email} is an administrator already. Nothing was changed.`);
  if (account.disabled_at !== null) throw new Error(`${email} is disabled. Another administrator can enable it.`);
  const password = randomPassword();
  execute(where, promote(email, account.role, await hashPassword(password), author()));
  console.log(`\n  ${email} is an administrator, and was signed out everywhere.`);
  tellPassword(password);
}

function removeTwoFactor(where: Where, email: string): void {
  const account = lookUp(where, email);
  if (!account) throw new Error(`${email} has no account.`);
  if (account.two_factor === 0) throw new Error(`${email} has no second factor. Nothing was changed.`);
  execute(where, withoutTwoFactor(email, author()));
  console.log(`\n  ${email} signs in with the password alone, was signed out everywhere, and is told by e-mail.\n`);
}

function tellPassword(password: string): void {
  console.log(`\n  Password  ${password}\n\n  It is shown this once and kept nowhere: change it after signing in.\n`);
}
