export { erasePackages } from "./erasure.ts";
export { selectPackages } from "./packages.ts";
export {
  type HeldPackage,
  Package,
  type PackageRow,
  type PackageStatus,
  packageStatus,
  remainingOf,
  toPackage,
} from "./schemas.ts";
