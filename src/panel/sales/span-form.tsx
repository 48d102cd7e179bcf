import { commonSpans, type DaySpan, dayOf } from "../../back-office/sales/report.ts";
import type { FormInputs, FormState } from "../forms/inputs.ts";
import { formatDate } from "../kit/dates.tsx";
import { Fields } from "../kit/fields.tsx";
import { dayFilters, filtersOf } from "../kit/filters.tsx";

/** Inputs for the days of a report. */
export const dayInputs = (now: number) =>
  ({
    from: { ...dayFilters.from, max: dayOf(now) },
    to: { ...dayFilters.to, max: dayOf(now) },
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

type SpansProps = { form: SpanState; span: DaySpan | null; now: number };

/** Links to common periods, which keep what else was chosen. */
export const SpanTabs = ({ form, span, now }: SpansProps) => {
  const spans = Object.entries(commonSpans(now));
  // On the 30th of a month, two of them are the same days.
  const shown = spans.find(([, { from, to }]) => from === span?.from && to === span.to);
  const { days: _, ...chosen } = Object.fromEntries(filtersOf(form));
  return (
    <nav aria-label="Days" class="tabs">
      {spans.map(([name, days]) => (
        <a
          href={`${form.action}?${new URLSearchParams({ ...chosen, ...days })}`}
          aria-current={name === shown?.[0] ? "page" : undefined}
        >
          {name}
        </a>
      ))}
    </nav>
  );
};

/** Common periods, and a form for any other. */
export const SpanForm = ({ form, span, now }: SpansProps) => (
  <div class="spans">
    <SpanTabs form={form} span={span} now={now} />
    <form class="span" action={form.action}>
      <Fields form={form} names={Object.keys(form.inputs)} />
      <button type="submit" class="button quiet">
        Show
      </button>
    </form>
  </div>
);

export const wordsOfSpan = ({ from, to }: DaySpan) =>
  from === to ? formatDate(from) : `${formatDate(from)} to ${formatDate(to)}`;
