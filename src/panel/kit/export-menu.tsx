import { exportFormats } from "../../back-office/exports/stream.ts";
import type { FormState } from "../forms/state.ts";
import { type Needed, useAllowed } from "./allowed.tsx";
import { filtersOf, textOf } from "./view-tabs.tsx";

/** A list's name in `/admin/exports` and the label of its rows. */
export type Exported = { list: string; label: string };

const formatNames = { csv: "CSV", ndjson: "NDJSON" } as const;

/** Exports the list with its current filters, on all pages. */
export const ExportMenu = ({ form, lists, needs }: { form: FormState; lists: readonly Exported[]; needs: Needed }) => {
  if (!useAllowed(needs)) return null;
  const filters = textOf(filtersOf(form));
  return (
    <details class="menu">
      <summary class="button quiet">Export</summary>
      <div data-plain>
        {lists.flatMap(({ list, label }) =>
          exportFormats.map((format) => (
            <a href={`/admin/exports/${list}/${format}${filters && `?${filters}`}`}>
              {label}, {formatNames[format]}
            </a>
          )),
        )}
      </div>
    </details>
  );
};
