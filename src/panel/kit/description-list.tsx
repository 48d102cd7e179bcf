import type { Child } from "hono/jsx";

/** Terms and what they are for one thing; a fact that is undefined is left out. */
export const DescriptionList = ({ facts }: { facts: Record<string, Child> }) => (
  <dl class="facts">
    {Object.entries(facts)
      .filter(([, fact]) => fact !== undefined)
      .map(([term, fact]) => (
        <div>
          <dt>{term}</dt>
          <dd>{fact ?? <span class="muted">–</span>}</dd>
        </div>
      ))}
  </dl>
);
