import { getTableColumns, sql } from "drizzle-orm";
import { ApiError, conflict, requireFound } from "../../domain/errors.ts";
import type { AccountProvider } from "../../domain/payment-methods.ts";
import { requireFreshForChange } from "../../platform/administration/sensitive-changes.ts";
import {
  type AuditedTable,
  applyChange,
  applyCreation,
  applyDeletion,
} from "../../platform/administration/write-queries.ts";
import type { WriteContext } from "../../platform/auth/caller.ts";
import { sealedColumns } from "../../platform/auth/seal.ts";
import { jsonRow } from "../../platform/db/json.ts";
import { paymentAccounts } from "../../platform/db/schema.ts";
import { queueForAdministrators } from "../../platform/email/switches.ts";
import { logFault } from "../../platform/http/log.ts";
import { editedMeanwhile } from "../../platform/http/version.ts";
import type { PaypalAccount, StripeAccount } from "../../platform/settings/payments.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import {
  accountPurpose,
  type Connection,
  findAccount,
  isLive,
  keyEndOf,
  openAccount,
  type PaymentAccountRow,
  providerNames,
} from "./accounts.ts";
import { connectPaypal, deletePaypalWebhook, type PaypalKeys } from "./connect-paypal.ts";
import { connectStripe, deleteStripeWebhook, type StripeKeys } from "./connect-stripe.ts";

type AccountState = Pick<
  PaymentAccountRow,
  "provider" | "accountId" | "name" | "keyEnd" | "live" | "baseUrl" | "webhookId"
>;

const target: AuditedTable<PaymentAccountRow, AccountState> = {
  table: paymentAccounts,
  name: "payment_accounts",
  subject: "payment_account",
  json: jsonRow<PaymentAccountRow>(getTableColumns(paymentAccounts)),
  audited: ({ provider, accountId, name, keyEnd, live, baseUrl, webhookId }) => ({
    provider,
    account_id: accountId,
    name,
    key_end: keyEnd,
    live,
    base_url: baseUrl,
    webhook_id: webhookId,
  }),
  refusals: { "payment_accounts.provider": editedMeanwhile.row_changed },
};

type ConnectContext = Pick<WriteContext, "db" | "settings" | "author">;

/** The Worker's address, which the provider calls: that of the request, unless it is set. */
type WithBaseUrl = { baseUrl: string };

export const baseUrlOf = (c: { req: { url: string }; var: { settings: Settings } }): string =>
  c.var.settings.workerUrl ?? new URL(c.req.url).origin;

type SentKeys = { provider: "stripe"; keys: StripeKeys } | { provider: "paypal"; keys: PaypalKeys };

const connect = ({ stripeUrl, paypalUrl }: Settings, sent: SentKeys, webhookUrl: string): Promise<Connection> =>
  sent.provider === "stripe"
    ? connectStripe(stripeUrl, sent.keys, webhookUrl)
    : connectPaypal(paypalUrl, sent.keys, webhookUrl);

/**
 * The statement that e-mails all administrators which account receives the money now. The e-mail cannot be switched off, so an
 * attacker in the panel cannot hide the change.
 */
const tellAdministrators = (
  { author }: Pick<ConnectContext, "author">,
  provider: AccountProvider,
  account: Pick<AccountState, "accountId" | "name" | "live"> | null,
) =>
  queueForAdministrators(
    "payment_account_changed",
    {
      provider: providerNames[provider],
      ...(account && { account: account.name ?? account.accountId ?? "without a name", live: account.live }),
    },
    author.now,
  );

/** Connects the account that gets the shop's money from now on, in place of an earlier one. */
export async function connectAccount(ctx: ConnectContext & WithBaseUrl, sent: SentKeys): Promise<void> {
  const { settings, author, db, baseUrl } = ctx;
  const { provider } = sent;
  if (settings[provider]) {
    throw conflict(
      "set_by_deployment",
      "This account was set when the shop was installed. Whoever did that has to remove its secrets before you connect another here",
    );
  }
  requireFreshForChange(author, { subject: "payment_account", after: { key_end: true } });
  const before = await findAccount(db, provider);
  const webhookUrl = `${baseUrl}/api/v1/webhooks/${provider}`;
  const { isNew, shown, account, outdated } = await connect(settings, sent, webhookUrl);
  const state = { provider, baseUrl, ...shown, keyEnd: keyEndOf(account), live: isLive(account) };
  const row = { ...state, ...sealedColumns(settings.linkSecrets, accountPurpose(provider), account) };
  const statements = [tellAdministrators(ctx, provider, state)];
  try {
    await (before
      ? applyChange(ctx, {
          target,
          action: "replace",
          before,
          ifMatch: {},
          decide: () => ({ columns: row, statements }),
        })
      : applyCreation(ctx, {
          target,
          row,
          where: sql`provider = ${provider}`,
          state,
          statements: () => statements,
        }));
  } catch (error) {
    // After any other error, the account may be stored.
    if (error instanceof ApiError && isNew) await deleteWebhook(() => account, shown.webhookId);
    throw error;
  }
  for (const id of outdated) await deleteWebhook(() => account, id);
  if (before && before.webhookId !== shown.webhookId && !outdated.includes(before.webhookId)) {
    await deleteWebhook(() => openAccount(settings, before), before.webhookId);
  }
}

/** Forgets a connected account, and deletes its webhook. */
export async function disconnectAccount(ctx: ConnectContext, provider: AccountProvider): Promise<void> {
  const before = await requireFound(findAccount(ctx.db, provider), "A connected account");
  await applyDeletion(ctx, { target, before, ifMatch: {}, statements: [tellAdministrators(ctx, provider, null)] });
  // The deployment may use the account's webhook.
  if (!ctx.settings[provider]) await deleteWebhook(() => openAccount(ctx.settings, before), before.webhookId);
}

/** Deletes a webhook if possible: the keys of an earlier account may be invalid, or lost with the secret that encrypted them. */
async function deleteWebhook(open: () => StripeAccount | PaypalAccount, id: string): Promise<void> {
  try {
    const account = open();
    await ("secretKey" in account ? deleteStripeWebhook(account, id) : deletePaypalWebhook(account, id));
  } catch (error) {
    logFault("payment webhook not deleted", error, { webhook: id });
  }
}
