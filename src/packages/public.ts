export { type HeldPackage, type PackageStatus, packageStatus, remainingOf } from "./entitlement.ts";
