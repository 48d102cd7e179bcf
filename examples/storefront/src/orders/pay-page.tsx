/** The browser goes on by itself; the link is for one that does not. */
export const PayPage = ({ url }: { url: string }) => (
  <section class="panel narrow">
    <h1>On to the payment</h1>
    <p>Your order is placed, and held for you while you pay.</p>
    <p>
      <a class="button" href={url}>
        To the payment page
      </a>
    </p>
  </section>
);
