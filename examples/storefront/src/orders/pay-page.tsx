/** The browser is redirected automatically. The link is for browsers that ignore it. */
export const PayPage = ({ url }: { url: string }) => (
  <section class="panel narrow">
    <h1>Payment</h1>
    <p>Your order is placed. It is reserved while you pay.</p>
    <p>
      <a class="button" href={url}>
        Go to the payment page
      </a>
    </p>
  </section>
);
