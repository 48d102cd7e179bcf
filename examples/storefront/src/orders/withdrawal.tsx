import { Hono } from "hono";
import type { AppEnv } from "../env.ts";
import { page } from "../page.tsx";
import { Field } from "../parts/field.tsx";
import { type Form, fieldsOf, type Values } from "../parts/form.ts";
import { FormCard } from "../parts/form-card.tsx";
import { formFor, orShowAgain, takeForm } from "../parts/kept-form.ts";
import { Refusal } from "../parts/refusal.tsx";
import { clientAddress } from "../session/client-address.ts";
import { tell } from "../told.ts";
import { WITHDRAW } from "./labels.ts";

const PATH = "/withdraw";

const CONFIRM = "Confirm withdrawal";

/** Withdrawal from a contract without an account: a declaration, and its confirmation in a second step. */
export const withdrawal = new Hono<AppEnv>()
  .get(PATH, async (c) => {
    const form = formFor(await takeForm(c), PATH, { order: c.req.query("order") ?? "" });
    return page(c, WITHDRAW, <Declaration form={form} />);
  })
  .post(`${PATH}/review`, async (c) => page(c, CONFIRM, <Review values={await fieldsOf(c)} />))
  .post(PATH, async (c) => {
    const { name = "", email = "", order = "", description = "" } = await fieldsOf(c);
    return orShowAgain(c, PATH, { name, email, order, description }, async () => {
      await c.var.shop.POST("/api/v1/user/withdrawals", {
        params: { header: clientAddress(c) },
        body: { name, email, order, ...(description.trim() !== "" && { description }) },
      });
      const next = "If the order number and the e-mail address belong together, a receipt is on its way.";
      return tell(c, `Your withdrawal was sent. ${next}`, "/");
    });
  });

const Declaration = ({ form }: { form: Form }) => (
  <FormCard title={WITHDRAW} sign="mail">
    <p>You need not give a reason. You can check everything in the next step.</p>
    <Refusal form={form} fields={["name", "email", "order", "description"]} />
    <form method="post" action={`${PATH}/review`} class="fields">
      <Field form={form} name="name" label="Your name" autocomplete="name" maxlength={100} />
      <Field
        form={form}
        name="email"
        label="E-mail address of the order"
        type="email"
        autocomplete="email"
        hint="The receipt of your withdrawal is sent there."
      />
      <Field form={form} name="order" label="Order number" autocomplete="off" maxlength={40} />
      <Field
        form={form}
        name="description"
        label="Only some of the items?"
        autocomplete="off"
        hint="Name them here. Leave empty to withdraw from the whole order."
        required={false}
        maxlength={500}
      />
      <button type="submit">Continue</button>
    </form>
  </FormCard>
);

const Review = ({ values: { name = "", email = "", order = "", description = "" } }: { values: Values }) => (
  <FormCard title={CONFIRM} sign="mail">
    <p>You are about to declare your withdrawal:</p>
    <ul>
      <li>Name: {name}</li>
      <li>E-mail address: {email}</li>
      <li>Order: {order}</li>
      <li>Withdraw from: {description.trim() || "the whole order"}</li>
    </ul>
    <form method="post" action={PATH} class="fields">
      {Object.entries({ name, email, order, description }).map(([field, value]) => (
        <input type="hidden" name={field} value={value} />
      ))}
      <button type="submit">{CONFIRM}</button>
    </form>
    <p class="quiet">
      <a href={PATH}>Start again</a>
    </p>
  </FormCard>
);
