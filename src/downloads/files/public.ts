export { idsOfFileSearch, walkFiles } from "./admin-queries.ts";
export { AdminFile, type FileFilters, FilesQuery, fileFilters, fromForm, toAdminFile } from "./admin-schemas.ts";
export { orUnavailable, type Stores, storesOf } from "./bucket.ts";
export { type Content, type Incoming, storeBytes, storeFile } from "./store.ts";
export { asSent, receiveUpload } from "./upload-form.ts";
