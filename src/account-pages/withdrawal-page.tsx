import type { Context } from "hono";
import { findGuestOrder } from "../checkout/orders/guest-order.ts";
import { WITHDRAW } from "../checkout/orders/returns/period.ts";
import {
  declareWithdrawal,
  limitWithdrawals,
  requireWithdrawal,
  WithdrawalCreate,
} from "../checkout/orders/returns/withdraw.ts";
import type { OrderRow } from "../checkout/orders/schemas.ts";
import { preferredLanguage } from "../domain/language.ts";
import { nameWithValues } from "../domain/option-values.ts";
import { type Failed, type FormInputs, formFor } from "../panel/forms/inputs.ts";
import { optional, text, type Values } from "../panel/forms/kinds.ts";
import type { SentForm } from "../panel/forms/read-form.ts";
import { Field, Fields, Group } from "../panel/kit/fields.tsx";
import { Button, Form } from "../panel/kit/form.tsx";
import { DescriptionList } from "../panel/kit/values.tsx";
import { chosenUnits, quantityOf, type UnitsField, unitsInputs } from "../panel/orders/inputs.ts";
import { page } from "../panel/page.tsx";
import { type AppEnv, limitAddress } from "../platform/auth/gates.ts";
import { writerIn } from "../platform/email/messages.ts";
import { once, readIdempotencyKey } from "../platform/idempotency/once.ts";
import { donePage } from "./pages.tsx";

const PATH = "/account/withdraw";

/**
 * The label of directive 2011/83/EU, article 11a (3). Its translations are those of the directive, BGB § 356a and Code de la
 * consommation, article D. 221-5.
 */
const CONFIRM = "Confirm withdrawal";

const SOME = "Only some of the items?";

/** Writes in the visitor's language, or else in the shop's. */
async function readWriter(c: Context<AppEnv>) {
  const { language } = await requireWithdrawal(c.var);
  const preferred = preferredLanguage(c.req.header("Accept-Language") ?? null) ?? language;
  c.set("language", preferred);
  return writerIn(preferred);
}

type Say = Awaited<ReturnType<typeof readWriter>>["say"];

const inputsIn = (say: Say) =>
  ({
    name: { as: "text", label: say("Your name"), autocomplete: "name", required: true, maxlength: 100 },
    email: {
      as: "email",
      label: say("E-mail address of the order"),
      hint: say("The receipt of your withdrawal is sent there."),
      autocomplete: "email",
      required: true,
      maxlength: 254,
    },
    order: { as: "text", label: say("Order number"), required: true, maxlength: 40 },
    description: {
      as: "text",
      label: say(SOME),
      hint: say("Name them here. Leave empty to withdraw from the whole order."),
      maxlength: 500,
    },
  }) satisfies FormInputs;

/** Items of an order that a link of its e-mails opens. Null for other visitors, who learn nothing about an order. */
type OrderToWithdraw = Pick<OrderRow, "number" | "items"> | null;

type Inputs = FormInputs<keyof ReturnType<typeof inputsIn> | "items" | UnitsField>;

const inputsFor = (linked: OrderToWithdraw, say: Say): Inputs => ({
  ...inputsIn(say),
  items: { as: "group", label: say(SOME), hint: say("Leave empty to withdraw from the whole order.") },
  ...unitsInputs(
    (linked?.items ?? []).map((item) => ({
      id: item.id,
      label: nameWithValues(item),
      unit: say("of {quantity}", { quantity: String(item.quantity) }),
    })),
  ),
});

async function readOrderToWithdraw(
  c: Context<AppEnv>,
  values: Values,
): Promise<{ token: string; order: OrderToWithdraw }> {
  const token = values.token?.[0] ?? c.req.query("token") ?? "";
  const found = token === "" ? null : await findGuestOrder(c.var, token, Date.now());
  return { token, order: found?.row ?? null };
}

/** The first step of a withdrawal, without an account: the declaration. It asks for no reason. */
export async function withdrawalPage(c: Context<AppEnv>, failed: Failed | null): Promise<Response> {
  if (!failed) await limitAddress(c, "anonymous");
  const { say } = await readWriter(c);
  const { token, order } = await readOrderToWithdraw(c, failed?.values ?? {});
  const values = { order: order?.number ?? c.req.query("order") ?? "" };
  const form = formFor(failed, PATH, { inputs: inputsFor(order, say), values });
  return page(
    c,
    say(WITHDRAW),
    <div class="card narrow">
      <h1>{say(WITHDRAW)}</h1>
      <p>
        {say(
          "Tell {shop} that you withdraw from your contract. You need not give a reason. You can check everything in the next step.",
          { shop: c.var.shopName ?? "" },
        )}
      </p>
      <Form form={form} plain>
        <input type="hidden" name="token" value={token} />
        <Fields form={form} names={["name", "email", "order"]} />
        {order ? (
          <Group form={form} name="items">
            <div class="units">
              {order.items.map(({ id }) => (
                <Field form={form} name={quantityOf(id)} />
              ))}
            </div>
          </Group>
        ) : (
          <Field form={form} name="description" />
        )}
        <Button>{say("Continue")}</Button>
      </Form>
    </div>,
  );
}

const isConfirmed = ({ values }: SentForm): boolean => values.confirmed?.[0] === "true";

const declarationKinds = (values: Values) => ({
  name: text,
  email: text,
  order: text,
  description: optional,
  items: () => {
    const chosen = chosenUnits(values);
    return chosen.length > 0 ? chosen : undefined;
  },
});

/** The request of a form that takes effect once, however often it is clicked or reloaded. */
const visiting = (c: Context<AppEnv>, { values }: SentForm) => ({
  env: c.env,
  req: c.req,
  header: (name: string, value: string) => c.header(name, value),
  var: { ...c.var, caller: { kind: "anonymous" } as const, idempotencyKey: readIdempotencyKey(values.once?.[0]) },
});

/** Shows the declaration for confirmation, which is the second step, and then sends it. */
export async function submitWithdrawal(c: Context<AppEnv>, sent: SentForm): Promise<Response> {
  const declaration = sent.read(WithdrawalCreate, declarationKinds(sent.values));
  const { say } = await readWriter(c);
  const { token, order } = await readOrderToWithdraw(c, sent.values);
  if (isConfirmed(sent)) {
    await limitAddress(c, "sign-up");
    await limitWithdrawals(c, declaration.email);
    await once(visiting(c, sent), declaration, (ctx) => declareWithdrawal(ctx, declaration), declaration.email);
    return c.redirect(`${PATH}/received`, 303);
  }
  const { name, email, order: number, description, items } = declaration;
  const form = formFor(null, PATH);
  const words = items?.map(({ id, quantity }) => `${quantity} × ${nameOf(order, id)}`).join(", ");
  return page(
    c,
    say(CONFIRM),
    <div class="card narrow">
      <h1>{say(CONFIRM)}</h1>
      <p>
        {say("You are about to declare your withdrawal from this contract with {shop}:", {
          shop: c.var.shopName ?? "",
        })}
      </p>
      <DescriptionList
        facts={{
          [say("Name")]: name,
          [say("E-mail address")]: email,
          [say("Order")]: number,
          [say("Withdrawn from")]: words ?? description ?? say("the whole order"),
        }}
      />
      <Form form={form} plain>
        {Object.entries({
          ...sent.values,
          token: [token],
          confirmed: ["true"],
          once: [crypto.randomUUID()],
        }).flatMap(([field, typed = []]) => typed.map((value) => <input type="hidden" name={field} value={value} />))}
        <Button>{say(CONFIRM)}</Button>
      </Form>
      <p>
        <a href={`${PATH}${token && `?token=${encodeURIComponent(token)}`}`}>{say("Start again")}</a>
      </p>
    </div>,
  );
}

const nameOf = (order: OrderToWithdraw, id: number): string => {
  const item = order?.items.find((each) => each.id === id);
  return item ? nameWithValues(item) : `item ${id}`;
};

/** Equal whether the order exists or not. */
export async function withdrawalReceivedPage(c: Context<AppEnv>) {
  const { say } = await readWriter(c);
  const next =
    "If the order number and the e-mail address belong together, a receipt with the date and time is on its way to that address. If none arrives, check both, or contact {shop}.";
  return donePage(c, say("Your withdrawal was sent"), say(next, { shop: c.var.shopName ?? "" }), null, "mail");
}
