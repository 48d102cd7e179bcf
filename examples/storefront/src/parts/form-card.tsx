import type { Child } from "hono/jsx";

/** Pictures above a heading, as paths on a grid of 24. */
const signs = {
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-8 8a8 8 0 0 1 16 0",
  lock: "M6 11h12v9H6zm2 0V8a4 4 0 0 1 8 0v3",
  mail: "M4 6h16v12H4zm0 1 8 6 8-6",
  lost: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zm5-2 4 4",
  trouble: "M12 4 3 20h18zm0 6v5m0 2.500v.01",
};

type Props = {
  title: string;
  sign: keyof typeof signs;
  /** Shown next to the card's content, or below it on a phone. */
  aside?: Child;
  children: Child;
};

/** A page with a single purpose, such as a form. */
export const FormCard = ({ title, sign, aside, children }: Props) => (
  <section class="panel narrow">
    <div>
      <svg class="sign" viewBox="0 0 24 24" aria-hidden="true">
        <path d={signs[sign]} />
      </svg>
      <h1>{title}</h1>
      {children}
    </div>
    {aside && <aside>{aside}</aside>}
  </section>
);
