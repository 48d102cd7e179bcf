export { AdminFile, type FileFilters, FilesQuery, fileFilters, fromForm, toAdminFile } from "./admin-schemas.ts";
export { DERIVED_PREFIX, deleteWithDerived, derivedKey, orUnavailable, type StorageContext } from "./bucket.ts";
export { idsOfFileSearch, walkFiles } from "./files.ts";
export { type Incoming, type StoredContent, storeBytes, storeFile } from "./store.ts";
export { asSent, receiveUpload } from "./uploads/upload-form.ts";
