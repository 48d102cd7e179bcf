import { PackageCreate, PackageUpdate } from "../../downloads/packages/admin-schemas.ts";
import { changePackage, grantPackage, revokePackage } from "../../downloads/packages/packages.ts";
import { writeContextOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { redirectWithFlash } from "../flash.ts";
import { kindsOf } from "../forms/conversion.ts";
import { chosenIn } from "../pickers/resolve.ts";
import { recordPages } from "../record-pages.ts";
import {
  newPackageInputs,
  newPackagePage,
  packageFilters,
  packageInputs,
  packagePage,
  packagesPage,
} from "./pages.tsx";

const PACKAGES_PATH = "/admin/packages";

export const packagePages = recordPages("/packages", {
  reads: administer("packages:read"),
  writes: administer("packages:write"),
  listPage: packagesPage,
  filters: packageFilters,
  newPage: newPackagePage,
  rowPage: packagePage,
  create: async (c, sent) => {
    const inputs = newPackageInputs([]);
    const granted = (await chosenIn(c, sent, inputs)).read(PackageCreate, kindsOf(inputs));
    const { id, name } = await grantPackage(writeContextOf(c), granted);
    return redirectWithFlash(c, `${PACKAGES_PATH}/${id}`, `${name} was granted.`);
  },
  forms: {
    "": async (c, id, sent) => {
      const change = sent.readChange(PackageUpdate, kindsOf(packageInputs([])));
      const { name } = await changePackage(writeContextOf(c), { id, change, ifMatch: sent.ifMatch });
      return `${name} was saved.`;
    },
    "/revoke": async (c, id, { ifMatch }) => {
      await revokePackage(writeContextOf(c), { id, ifMatch });
      return "The package was revoked. Its files can no longer be downloaded.";
    },
  },
});
