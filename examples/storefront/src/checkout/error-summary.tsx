import type { ProblemSentence } from "./problems.ts";

/** Errors that prevent the order, with links to the fields. The redirect after a refused form leads here. */
export const ErrorSummary = ({ told }: { told: readonly ProblemSentence[] }) =>
  told.length > 0 && (
    <div class="refusal" role="alert" id="problems" tabindex={-1}>
      <p>
        <strong>
          {told.length === 1 ? "Please check this before you order:" : "Please check these before you order:"}
        </strong>
      </p>
      <ul>
        {told.map(({ name, sentence }) => (
          <li>{name === null ? sentence : <a href={`#${name.replaceAll(".", "-")}`}>{sentence}</a>}</li>
        ))}
      </ul>
    </div>
  );
