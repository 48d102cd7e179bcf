export { selectPackages } from "./packages.ts";
export { type HeldPackage, Package, type PackageStatus, packageStatus, remainingOf, toPackage } from "./schemas.ts";
