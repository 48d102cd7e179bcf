import { Hono } from "hono";
import { accountPage } from "../account/area.tsx";
import type { AppEnv } from "../env.ts";
import { unlessRefused } from "../parts/unless-refused.ts";
import { me } from "../session/signed-in.ts";
import { DownloadsPage } from "./page.tsx";

export const downloads = new Hono<AppEnv>()
  .get("/downloads", async (c) => {
    const query = { page: Number(c.req.query("page") ?? 1), per_page: 20 };
    const list = await me(c).GET("/api/v1/user/account/packages", { params: { query } });
    return accountPage(c, "Downloads", <DownloadsPage packages={list} url={c.req.url} />);
  })
  .post("/downloads/:fileId{[0-9]+}", (c) =>
    unlessRefused(c, "/downloads", async () => {
      const query = { file_id: Number(c.req.param("fileId")) };
      const { data: file } = await me(c).GET("/api/v1/user/download-file", { params: { query } });
      // The browser downloads the file from the API directly and can resume it.
      if (file.kind === "link") return c.redirect(file.url, 303);
      return c.body(file.content, 200, {
        "Content-Type": file.mime_type,
        "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.file_name)}`,
      });
    }),
  );
