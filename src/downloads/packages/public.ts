export { type HeldPackage, type PackageStatus, packageStatus, remainingOf } from "./entitlement.ts";
export { selectPackages } from "./queries.ts";
export { Package, toPackage } from "./schemas.ts";
