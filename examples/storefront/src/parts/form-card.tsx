import type { Child } from "hono/jsx";

type Props = { title: string; children: Child };

/** A page about one thing, such as a form. */
export const FormCard = ({ title, children }: Props) => (
  <section class="panel narrow">
    <h1>{title}</h1>
    {children}
  </section>
);
