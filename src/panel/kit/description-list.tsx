import type { Child } from "hono/jsx";

/** Terms with values. Undefined values are left out. */
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
