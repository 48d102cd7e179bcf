import { findAnyOrders, orderWrites, planMove, planTags } from "../../checkout/orders/public.ts";
import type { Runner, Slice, Work } from "../../platform/jobs/run-slice.ts";
import { sliceByRow } from "./by-row.ts";
import { tagsAfter } from "./changed-values.ts";
import { ChangeOrders } from "./parameters.ts";

async function slice(work: Work): Promise<Slice> {
  const { db, job, author } = work;
  const { ids, change: asked, note, scope } = ChangeOrders.parse(job.parameters);
  const { addTags, removeTags, ...change } = asked;
  return sliceByRow(
    work,
    ids,
    (chosen) => findAnyOrders(db, chosen, scope),
    (order) => {
      if (addTags || removeTags)
        return orderWrites(order, planTags({ db, author }, { order, note }, tagsAfter(order.tags, asked)), author);
      const move = planMove({ db, author }, { order, change, note });
      return move ? orderWrites(order, move, author) : [];
    },
  );
}

/** Marks orders as paid or shipped, or changes their tags, like the action on a single order. The database refuses invalid transitions. */
export const changeOrders: Runner = {
  limit: 25,
  slice,
  refusals: {
    staff_spending_limit: {
      code: "spending_limit",
      message: "exceeds your spending limit for 24 hours. An administrator can do it",
    },
    session_needs_reauthentication: {
      code: "reauthentication_required",
      message: "needs your password because of its amount. Confirm it, and mark the order again",
    },
    renewal_not_possible: {
      code: "not_applicable",
      message: "renews, so it is paid when its buyer subscribes with a card, and not by hand",
    },
    stock_not_negative: { code: "stock_gone", message: "cannot be paid: its stock has been sold" },
    discount_used_up: { code: "discount_used_up", message: "its discount has been used up since" },
    discount_used_by_customer: { code: "discount_used_up", message: "the customer has used its discount since" },
  },
};
