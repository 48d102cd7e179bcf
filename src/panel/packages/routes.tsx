import { type Context, Hono } from "hono";
import { PackageCreate, PackageUpdate } from "../../downloads/packages/admin-schemas.ts";
import { changePackage, grantPackage, requirePackage, revokePackage } from "../../downloads/packages/packages.ts";
import { accountScopeOf, writeContextOf } from "../../platform/auth/caller.ts";
import { administer } from "../../platform/auth/gates.ts";
import { readChoices } from "../choices.ts";
import { redirectWithFlash } from "../flash.ts";
import { kindsOf } from "../forms/conversion.ts";
import { type Failed, formFor } from "../forms/inputs.ts";
import { type PanelEnv, page } from "../page.tsx";
import { chosenIn, resolvingPickers, withPicks } from "../pickers/resolve.ts";
import { recordPages } from "../record-pages.ts";
import { readNames } from "../references.ts";
import {
  NewPackagePage,
  newPackageInputs,
  PackagePage,
  packageFilters,
  packageInputs,
  packageReferences,
  packagesPage,
} from "./pages.tsx";

const PACKAGES_PATH = "/admin/packages";

const reads = administer("packages:read");

export const packagePages = new Hono<PanelEnv>()
  .get("/packages", reads, resolvingPickers(packageFilters), packagesPage)
  .route(
    "/",
    recordPages("/packages", {
      reads,
      writes: administer("packages:write"),
      newPage,
      rowPage: editPage,
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
    }),
  );

async function newPage(c: Context<PanelEnv>, failed: Failed | null) {
  const { files } = await readChoices(c.var.db);
  const values = { user_id: c.req.query("user_id") ?? "" };
  const form = await withPicks(c, formFor(failed, PACKAGES_PATH, { inputs: newPackageInputs(files), values }));
  return page(c, "Grant package", <NewPackagePage form={form} />);
}

async function editPage(c: Context<PanelEnv>, id: number, failed: Failed | null) {
  const [row, { files }] = await Promise.all([
    requirePackage(c.var.db, id, accountScopeOf(c.var.caller)),
    readChoices(c.var.db),
  ]);
  const names = await readNames(c.var.db, packageReferences(row));
  return page(c, row.name, <PackagePage row={row} names={names} files={files} failed={failed} now={Date.now()} />);
}
