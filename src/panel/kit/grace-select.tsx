import type { FormState } from "../forms/state.ts";
import { Select } from "./fields.tsx";

/** How long a rotated value stays valid beside the new one. */
export const GraceSelect = ({ form, label }: { form: FormState; label: string }) => (
  <Select
    form={form}
    name="grace_seconds"
    label={label}
    options={[
      ["0", "not at all"],
      ["3600", "for an hour"],
      ["86400", "for a day"],
      ["604800", "for a week"],
    ]}
  />
);
