import { shownName } from "../forms/kinds.ts";

/** Repeats how a field is shown, so that one which nobody touched is not sent: see `touched`. */
export const Shown = ({ name, value }: { name: string; value: string }) => (
  <input type="hidden" name={shownName(name)} value={value} />
);
