import { FormCard } from "../parts/form-card.tsx";

/** For a link that shows no order, or an order of another browser. */
export const NoOrderPage = ({ contact }: { contact: string }) => (
  <FormCard title="Order not found" sign="lost">
    <p>
      This link shows no order. Open it from the newest e-mail about your order, or{" "}
      <a href="/sign-in?next=/orders">sign in</a> if you ordered with an account.
    </p>
    <p>It still does not work? We are glad to help: {contact}</p>
  </FormCard>
);
