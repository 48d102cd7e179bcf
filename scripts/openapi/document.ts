import { createDocument } from "zod-openapi";
import { info } from "./info.ts";
import { asDocumented } from "./json-schema.ts";
import { operations } from "./operations.ts";
import { securitySchemes } from "./security.ts";
import { tags } from "./tags.ts";
import { webhooks } from "./webhooks.ts";

/** The document of everything below /api/v1 and of webhook requests. */
export const document = operations().then((paths) =>
  createDocument(
    {
      openapi: "3.1.0",
      info,
      servers: [{ url: "/", description: "This deployment" }],
      tags: tags.map(({ name, description }) => ({ name, description })),
      components: { securitySchemes },
      paths,
      webhooks,
    },
    { override: asDocumented },
  ),
);
