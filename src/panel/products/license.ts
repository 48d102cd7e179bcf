import type { License } from "../../domain/license.ts";
import type { FormInput } from "../forms/inputs.ts";
import { type FieldKind, number, optional, type Values } from "../forms/kinds.ts";

const part = { read: () => undefined };

/** Inputs of the terms of license keys. Their values are converted together: see `licenseIn`. */
export const licenseInputs = {
  license: {
    as: "group",
    label: "License keys",
    hint: "Each sold unit gets a key that software can check. Leave all fields empty for none.",
  },
  "license.source": {
    as: "choice",
    label: "Keys are",
    options: [
      ["generated", "generated"],
      ["uploaded", "from lists that you upload"],
    ],
    hint: "The stock of a product with uploaded keys is the number of its unsold keys.",
    ...part,
  },
  "license.activation_limit": { as: "number", label: "Devices per key", ...part },
  "license.prefix": { as: "text", label: "Prefix", placeholder: "FONT", maxlength: 10, ...part },
  "license.valid_days": { as: "number", label: "Days until a key expires", hint: "Leave empty for never.", ...part },
  "license.update_days": { as: "number", label: "Days with updates", hint: "Leave empty for all updates.", ...part },
} satisfies Record<string, FormInput>;

type LicenseField = Exclude<keyof typeof licenseInputs, "license">;

/** Initial values of the inputs. */
export const licenseValues = (license: License | null): Record<LicenseField, string | number | null> => ({
  "license.source": license?.source ?? "generated",
  "license.activation_limit": license?.activation_limit ?? null,
  "license.prefix": license?.prefix ?? null,
  "license.valid_days": license?.valid_days ?? null,
  "license.update_days": license?.update_days ?? null,
});

/** The terms of a form. Null if it has no keys and all inputs are empty, and undefined if it has none of the inputs. */
export const licenseIn =
  (values: Values): FieldKind =>
  () => {
    if (!Object.keys(licenseInputs).some((name) => name in values)) return undefined;
    const typed = (name: keyof License, kind: FieldKind) => kind(values[`license.${name}`] ?? []);
    const terms = {
      prefix: typed("prefix", optional),
      activation_limit: typed("activation_limit", number),
      valid_days: typed("valid_days", number),
      update_days: typed("update_days", number),
    };
    const source = typed("source", optional);
    const isEmpty = source !== "uploaded" && Object.values(terms).every((value) => value === undefined);
    return isEmpty ? null : { ...terms, source };
  };
