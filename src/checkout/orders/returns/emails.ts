import { type Block, type Letter, linkTo } from "../../../platform/email/template.ts";
import { itemLine, type OrderContent, orderLink, orderTemplate } from "../emails/order.ts";
import { withdrawalExemption } from "./exemptions.ts";

const sampleReturn: NonNullable<OrderContent["returned"]> = {
  createdAt: Date.UTC(2030, 0, 31, 12, 30),
  reason: "Too small",
  withdrawal: null,
  declineReason: "The goods were worn.",
  instructions: "Example Shop, Returns, 12 Mill Lane, Leeds LS1 4DY",
  labelUrl: "https://labels.example/7.pdf",
  items: [{ name: "Waxed Canvas Satchel", optionValues: [], quantity: 1 }],
};

const linesOf = ({ returned }: OrderContent) => ({ lines: (returned?.items ?? []).map(itemLine) });

const returnRequested = orderTemplate(
  (letter, order) => ({
    subject: "We received your return request for order {order}",
    introduction: "{shop} will check your request and e-mail you.",
    blocks: [linesOf(order), ...orderLink(letter, order)],
  }),
  { returned: sampleReturn },
);

const returnApproved = orderTemplate(
  (letter, order) => ({
    subject: "Your return for order {order} was approved",
    introduction: "You can now send back these items:",
    blocks: [
      linesOf(order),
      ...(order.returned?.instructions ? [{ facts: { [letter.say("Send to")]: order.returned.instructions } }] : []),
      ...linkTo(letter.say("Open the shipping label"), order.returned?.labelUrl ?? null),
      ...orderLink(letter, order),
    ],
  }),
  { returned: sampleReturn },
);

const returnDeclined = orderTemplate(
  (letter, order) => ({
    subject: "Your return for order {order} was declined",
    introduction: "{shop} cannot accept the return of these items:",
    blocks: [
      linesOf(order),
      { facts: { [letter.say("Reason")]: order.returned?.declineReason ?? "" } },
      ...orderLink(letter, order),
    ],
  }),
  { returned: sampleReturn },
);

/** The receipt of a withdrawal: its content, and the date and time at which it arrived. */
const withdrawalReceived = orderTemplate(
  (letter, order) => ({
    subject: "We received your withdrawal from order {order}",
    introduction:
      "{shop} has received your declaration of withdrawal. This e-mail confirms that it arrived, not that it was accepted.",
    blocks: [
      { facts: declared(letter, order) },
      ...(order.returned?.items.length === 0 ? [] : [linesOf(order)]),
      ...exemptItems(letter, order),
      letter.say("Please keep this e-mail. The shop will tell you how to send back goods that you have received."),
      ...orderLink(letter, order),
    ],
  }),
  { returned: { ...sampleReturn, withdrawal: { name: "Ada Lovelace", email: "ada@example.com", items: null } } },
);

/** Items that the withdrawal leaves out, each with its reason. */
function exemptItems({ say }: Letter, { items }: OrderContent): Block[] {
  const lines = items.flatMap((item) => {
    const reason = withdrawalExemption(item.withdrawal);
    return reason ? [{ ...itemLine(item), detail: say(reason) }] : [];
  });
  return lines.length > 0 ? [say("The law exempts these items from withdrawal:"), { lines }] : [];
}

function declared({ say, moment }: Letter, { number, returned }: OrderContent): Record<string, string> {
  if (!returned?.withdrawal) return {};
  const { name, email, items } = returned.withdrawal;
  return {
    [say("Received")]: moment(returned.createdAt),
    [say("Name")]: name,
    [say("Contact for this withdrawal")]: email,
    [say("Order")]: number,
    [say("Withdrawn from")]: items ?? say("the whole order"),
  };
}

export const returnTemplates = {
  return_requested: returnRequested,
  return_approved: returnApproved,
  return_declined: returnDeclined,
  withdrawal_received: withdrawalReceived,
};
