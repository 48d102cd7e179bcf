import { expect, it } from "vitest";
import { anAdministrator, aVisitor } from "../support/panel.ts";

it("shows an administrator who is signed in the overview", async () => {
  const { get } = await anAdministrator();
  const { status, html } = await get("/admin");
  expect(status).toBe(200);
  expect(html).toContain("<h1>Overview</h1>");
});

it("sends everybody else to sign in", async () => {
  const { status, location } = await aVisitor().get("/admin/orders?status=pending");
  expect([status, location]).toEqual([303, "/admin/sign-in?next=%2Fadmin%2Forders%3Fstatus%3Dpending"]);
});
