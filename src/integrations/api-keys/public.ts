export { type ApiKeyRow, ApiKeyUpdate } from "./admin-schemas.ts";
export { auditedApiKeys, changeKey, newApiKey, revokeKey } from "./api-keys.ts";
export { apiKeyFields } from "./fields.ts";
