import { savedViews as table } from "../../../src/platform/db/schema.ts";
import { aUser, db } from "../../support/shop.ts";
import type { AdminEndpoints } from "./endpoint.ts";

let made = 0;

const aView = () => ({ list: "products", name: `Drafts ${++made}`, filters: { status: "draft" } }) as const;

export const savedViews: AdminEndpoints = {
  "GET /saved-views": { permission: "staff", status: 200, request: async () => ({ path: "/saved-views" }) },
  "POST /saved-views": {
    permission: "staff",
    also: "products:read_all",
    status: 201,
    request: async () => ({ path: "/saved-views", body: aView() }),
  },
  "DELETE /saved-views/:id": {
    permission: "staff",
    status: 204,
    request: async (userId) => {
      const owner = userId ?? (await aUser({ role: "admin" })).id;
      const row = { ...aView(), userId: owner, createdAt: Date.now(), updatedAt: Date.now() };
      const [view] = await db.insert(table).values(row).returning();
      return { path: `/saved-views/${view?.id}` };
    },
  },
};
