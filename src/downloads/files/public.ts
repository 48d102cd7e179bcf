export { AdminFile, type FileFilters, FilesQuery, fileFilters, fromForm, toAdminFile } from "./admin-schemas.ts";
export { DERIVED_PREFIX, deleteWithDerived, derivedKey, orUnavailable, type StorageContext } from "./bucket.ts";
export { createDownload, type DownloadDependencies } from "./delivery/serve-download.ts";
export { idsOfFileSearch, walkFiles } from "./files.ts";
export { Download } from "./schemas.ts";
export { type IncomingFile, type StoredContent, storeBytes, storeFile } from "./store.ts";
export { asSent, receiveUpload } from "./uploads/upload-form.ts";
