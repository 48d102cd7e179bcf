import type { Child } from "hono/jsx";
import type { Settings } from "../../platform/settings/settings.ts";
import type { Overview } from "./figures.ts";

/** A step of a new shop, done once what it is about is there. */
export type Step = { isDone: boolean; title: string; about: Child; href?: string };

type Configured = Pick<Settings, "currency" | "stripe" | "paypal" | "test" | "email" | "allowsReservedDomains">;

export const stepsOf = (
  { attention: found, newest }: Pick<Overview, "attention" | "newest">,
  { currency, stripe, paypal, test, email, allowsReservedDomains }: Configured,
): Step[] => [
  {
    isDone: found.hasAddress,
    title: "Enter the shop's name and address",
    about: "They appear on invoices and in e-mails. Set the time zone on the same page.",
    href: "/admin/shop",
  },
  {
    isDone: found.hasShippingOrTaxes,
    title: "Set up shipping and taxes",
    about: "A preset for the European Union or the United States creates zones and rates in one step.",
    href: "/admin/set-up",
  },
  {
    isDone: stripe !== null || paypal !== null || found.hasPayments,
    title: "Decide how customers pay",
    about: "Tell buyers how to pay by bank transfer, or connect Stripe or PayPal.",
    href: "/admin/payments",
  },
  {
    isDone: found.hasProduct,
    title: "Add the first product",
    about: (
      <>
        Or import products from Shopify, WooCommerce or a file. Prices are in {currency}: for another currency, set{" "}
        <code>CURRENCY</code> in <code>wrangler.toml</code> first.
      </>
    ),
    href: "/admin/products/new",
  },
  {
    isDone: found.hasKey,
    title: "Create an API key",
    about: "Your storefront needs it to read products and place orders.",
    href: "/admin/api-keys/new?for=storefront",
  },
  {
    isDone: newest.length > 0,
    title: "Place a test order",
    about: (
      <>
        {email.shopUrl !== null && "Buy something in your shop as a customer would. "}
        {test !== null && "Pay with the test card: no money moves. "}
        {email.shopUrl === null && (
          <>
            <code>npm run example</code> opens a shop to buy in. Or send the requests of the quickstart.
          </>
        )}
      </>
    ),
    href: email.shopUrl ?? "/docs/#order",
  },
  {
    isDone: !allowsReservedDomains,
    title: "Deploy the shop",
    about: (
      <>
        <code>npm run deploy</code> puts it on Cloudflare. This copy is for development only.
      </>
    ),
  },
];

/** The steps of a new shop. They tick themselves. */
export const Checklist = ({ steps }: { steps: Step[] }) => {
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone, href }) => !isDone && href);
  return (
    <section class="card">
      <div class="section-header">
        <h2>Open your shop</h2>
        <span class="muted">
          {done} of {steps.length} done
        </span>
      </div>
      <progress value={done} max={steps.length} aria-label="Steps done" />
      <ol class="steps">
        {steps.map((step) => (
          <li class={step.isDone ? "done" : undefined}>
            {step.isDone && <span class="unseen">Done: </span>}
            {step.href && !step.isDone ? <a href={step.href}>{step.title}</a> : <strong>{step.title}</strong>}
            {!step.isDone && <p class="muted">{step.about}</p>}
            {step === next && step.href && (
              <a class="button primary" href={step.href}>
                Begin<span class="unseen">: {step.title}</span>
              </a>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
};
