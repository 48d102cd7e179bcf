import { commonSpans, type DaySpan, dayOf } from "../../back-office/sales/report.ts";
import type { FormInputs, FormState } from "../forms/inputs.ts";
import { formatDate } from "../kit/dates.tsx";
import { Fields } from "../kit/fields.tsx";

/** Inputs for the days of a report. */
export const dayInputs = (now: number) =>
  ({
    from: { as: "date", label: "From", max: dayOf(now) },
    to: { as: "date", label: "To", max: dayOf(now) },
  }) satisfies FormInputs;

export const spanInputs = (now: number) =>
  ({
    ...dayInputs(now),
    compare_to: {
      as: "choice",
      label: "Compare with",
      options: [
        ["previous_period", "the days before"],
        ["previous_year", "a year earlier"],
      ],
    },
  }) satisfies FormInputs;

export type SpanState = FormState<string>;

/** Common periods, and a form for any other. */
export const SpanForm = ({ form, span, now }: { form: SpanState; span: DaySpan | null; now: number }) => {
  const spans = Object.entries(commonSpans(now));
  // On the 30th of a month, two of them are the same days.
  const shown = spans.find(([, { from, to }]) => from === span?.from && to === span.to);
  return (
    <div class="spans">
      <nav aria-label="Days" class="tabs">
        {spans.map(([name, { from, to }]) => {
          const isShown = name === shown?.[0];
          const query = new URLSearchParams({ from, to, ...(isYearly(form) && { compare_to: "previous_year" }) });
          return (
            <a href={`${form.action}?${query}`} aria-current={isShown ? "page" : undefined}>
              {name}
            </a>
          );
        })}
      </nav>
      <form class="span" action={form.action}>
        <Fields form={form} names={Object.keys(form.inputs)} />
        <button type="submit" class="button quiet">
          Show
        </button>
      </form>
    </div>
  );
};

const isYearly = ({ values }: SpanState): boolean => values.compare_to?.[0] === "previous_year";

export const wordsOfSpan = ({ from, to }: DaySpan) =>
  from === to ? formatDate(from) : `${formatDate(from)} to ${formatDate(to)}`;
