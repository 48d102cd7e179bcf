import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import { afterAll, describe, expect } from "vitest";
import { LONG } from "../../support/long.ts";
import { it } from "../browser/it.ts";
import { look } from "../browser/look.ts";
import { told } from "../browser/told.ts";
import { asAdmin } from "../shopper.ts";

const folder = mkdtempSync(join(tmpdir(), "upload-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A part of 16 MiB, and one that is not full. */
const TWO_PARTS = 18_000_000;

function aFile(name: string, content: Buffer | string) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return { path, sha256: createHash("sha256").update(content).digest("hex") };
}

const choose = (page: Page, path: string) => page.locator("input[type=file]").setInputFiles(path);
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const shown = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).waitFor();

/** Number of parts that were answered. */
function partsOf(page: Page) {
  let parts = 0;
  page.on("response", (response) => {
    if (response.request().method() === "PUT" && response.ok()) parts++;
  });
  return () => parts;
}

describe("with script", () => {
  it(
    "uploads a file in parts, continues after a lost connection and a closed page, and returns it",
    LONG,
    async ({ browser, session }) => {
      const { path, sha256 } = aFile("course.bin", randomBytes(TWO_PARTS));
      const other = aFile("course.txt", "not the course");
      // The broken connection is intended, so the page's faults are not checked.
      const context = await browser.newContext({ storageState: session, acceptDownloads: true });
      const page = await context.newPage();
      page.on("dialog", (dialog) => dialog.accept());
      await page.goto("/admin/files/new");
      await page.getByLabel("Name").fill("A whole course");
      await page.getByLabel("Description").fill("Typed before the line broke");
      await choose(page, path);
      const arrived = partsOf(page);
      const breakLine = async (route: Route) => {
        await context.setOffline(true);
        await route.abort();
      };
      await page.route("/admin/uploads/*/parts/2", breakLine, { times: 1 });
      await press(page, "Upload");
      await shown(page, "Continue");
      const words = page.locator(".upload p", { hasText: /^The line is broken\. \d+ % has been received/ });
      await words.waitFor();
      expect(await page.getByLabel("Name").inputValue()).toBe("A whole course");
      await look(page, "admin-upload-broken");
      const before = arrived();
      await context.setOffline(false);

      await page.reload();
      const row = page.getByRole("row").filter({ hasText: "A whole course" });
      await row.getByText(/^[\d.]+ MB of 18 MB$/).waitFor();
      await row.getByRole("link", { name: "course.bin" }).click();
      await page.getByRole("heading", { name: "course.bin" }).waitFor();
      await look(page, "admin-uploads-one");
      await choose(page, other.path);
      await press(page, "Continue upload");
      await told(page, "That is another file: choose course.bin with its 18,000,000 bytes.");
      await choose(page, path);
      await press(page, "Continue upload");
      await page.getByRole("status").filter({ hasText: "A whole course was uploaded." }).waitFor();
      expect([before, arrived()]).toEqual([1, 2]);
      await page.getByText(sha256).waitFor({ state: "attached" });
      expect(await page.getByLabel("Description").inputValue()).toBe("Typed before the line broke");

      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download", exact: true }).click(),
      ]);
      expect(download.suggestedFilename()).toBe("course.bin");
      expect(
        createHash("sha256")
          .update(readFileSync(await download.path()))
          .digest("hex"),
      ).toBe(sha256);
      await context.close();
    },
  );

  it("reports a file's errors before it is sent, next to the typed values, and then uploads a new version", async ({
    aSignedInPage,
  }) => {
    const page = await aSignedInPage();
    const arrived = partsOf(page);
    await page.goto("/admin/files/new");
    await page.getByLabel("Name").fill("A guide");
    await choose(page, aFile("empty.txt", "").path);
    await press(page, "Upload");
    await told(page, "empty.txt is empty.");
    await choose(page, aFile("guide.pdf", "I am no PDF").path);
    await press(page, "Upload");
    await told(page, "is named .pdf, but its content is of the type text");
    expect(await page.getByLabel("Name").inputValue()).toBe("A guide");
    expect(await page.locator("input[type=file]").inputValue()).toContain("guide.pdf");
    expect(arrived()).toBe(0);
    await choose(page, aFile("guide.txt", "I am a text").path);
    await press(page, "Upload");
    await page.getByRole("status").filter({ hasText: "A guide was uploaded." }).waitFor();

    const second = aFile("guide-2.txt", "I am a better text");
    await choose(page, second.path);
    await press(page, "Upload version");
    await page.getByRole("status").filter({ hasText: "A guide is now version 2." }).waitFor();
    await page.getByText(second.sha256).waitFor({ state: "attached" });
    expect(arrived()).toBe(2);
  });

  it("asks before a new version replaces somebody else's change", async ({ shop, aSignedInPage }) => {
    const page = await aSignedInPage();
    await page.goto("/admin/files/new");
    await page.getByLabel("Name").fill("A shared guide");
    await choose(page, aFile("shared.txt", "first").path);
    await press(page, "Upload");
    await page.getByRole("status").filter({ hasText: "A shared guide was uploaded." }).waitFor();
    const { pathname } = new URL(page.url());
    const api = await asAdmin(shop);
    const params = { path: { id: Number(/\d+$/.exec(pathname)) } };
    const rename = (name: string) => api.PUT("/api/v1/admin/files/{id}", { params, body: { name } });

    await rename("Changed before it was sent");
    const mine = aFile("mine.txt", "mine");
    await choose(page, mine.path);
    await press(page, "Upload version");
    await told(page, "Someone else saved a change");
    await look(page, "admin-upload-conflict");
    await press(page, "Overwrite with my changes");
    await page.getByRole("status").filter({ hasText: "Changed before it was sent is now version 2." }).waitFor();

    const late = aFile("late.txt", "late");
    await choose(page, late.path);
    const completed = async (route: Route) => {
      await rename("Changed while it was sent");
      await route.continue();
    };
    await page.route("/admin/uploads/*/complete", completed, { times: 1 });
    await press(page, "Upload version");
    await told(page, "Somebody else changed the file while yours was sent, so it was not replaced.");
    await page.goto(pathname);
    await page.getByText(mine.sha256).waitFor({ state: "attached" });
    await page.getByRole("link", { name: "late.txt" }).click();
    await page.getByRole("heading", { name: "late.txt" }).waitFor();
    await choose(page, late.path);
    await press(page, "Continue upload");
    await page.getByRole("status").filter({ hasText: "Changed while it was sent is now version 3." }).waitFor();
    await page.getByText(late.sha256).waitFor({ state: "attached" });
  });

  it("cancels an upload, and keeps the typed values", async ({ aSignedInPage }) => {
    const page = await aSignedInPage();
    await page.goto("/admin/files/new");
    await page.getByLabel("Name").fill("Given up");
    await choose(page, aFile("given-up.txt", "never").path);
    const asked = Promise.withResolvers<void>();
    await page.route("/admin/uploads/*/parts/*", () => asked.resolve());
    await press(page, "Upload");
    await asked.promise;
    const cancelled = page.waitForResponse("/admin/uploads/*/cancel");
    await press(page, "Cancel upload");
    await told(page, "The upload was cancelled. What was typed is still here.");
    expect(await page.getByLabel("Name").inputValue()).toBe("Given up");
    await cancelled;
    await page.goto("/admin/files");
    expect(await page.getByText("given-up.txt").count()).toBe(0);
  });

  it("keeps typed values when the session has ended", async ({ aSignedInPage }) => {
    const page = await aSignedInPage();
    await page.goto("/admin/files/new");
    await page.getByLabel("Name").fill("Signed out");
    await choose(page, aFile("signed-out.txt", "later").path);
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await press(page, "Upload");
    await told(page, "You were signed out, and nothing was sent.");
    expect(await page.getByLabel("Name").inputValue()).toBe("Signed out");
    await page.context().addCookies(cookies);
    await press(page, "Upload");
    await page.getByRole("status").filter({ hasText: "Signed out was uploaded." }).waitFor();
  });
});

describe("without script", () => {
  it("states the limit of one request, keeps typed values beyond it, and uploads a file that fits", async ({
    aSignedInPage,
  }) => {
    const page = await aSignedInPage({ javaScriptEnabled: false });
    await page.goto("/admin/files/new");
    await page.getByText("or 100 MB in a browser without scripts").waitFor();
    await page.getByLabel("Name").fill("Too large");
    await choose(page, aFile("too-large.bin", Buffer.alloc(101_000_000, 7)).path);
    await press(page, "Upload");
    await told(page, "larger than 100 MB");
    expect(await page.getByLabel("Name").inputValue()).toBe("Too large");
    await choose(page, aFile("fits.txt", "it fits").path);
    await press(page, "Upload");
    await page.getByRole("status").filter({ hasText: "Too large was uploaded." }).waitFor();
  });
});
