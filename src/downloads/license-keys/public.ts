export { eraseLicenseKeys } from "./erasure.ts";
export { selectLicenseKeys } from "./license-keys.ts";
export { LicenseKey, SoldLicense, toLicenseKey, toSoldLicense } from "./schemas.ts";
export { addKeys, UploadedKeys, withdrawKeys } from "./upload.ts";
