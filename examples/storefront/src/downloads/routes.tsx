import { Hono } from "hono";
import { accountPage } from "../account/area.tsx";
import type { AppEnv } from "../env.ts";
import { unlessRefused } from "../parts/unless-refused.ts";
import { me } from "../session/signed-in.ts";
import { DownloadsPage } from "./page.tsx";
import { sendFile } from "./send-file.ts";

export const downloads = new Hono<AppEnv>()
  .get("/downloads", async (c) => {
    const query = { page: Number(c.req.query("page") ?? 1), per_page: 20 };
    const [packages, { data: licenseKeys }] = await Promise.all([
      me(c).GET("/api/v1/user/account/packages", { params: { query } }),
      me(c).GET("/api/v1/user/account/license-keys", { params: { query: { per_page: 100 } } }),
    ]);
    return accountPage(c, "Downloads", <DownloadsPage {...{ packages, licenseKeys, url: c.req.url }} />);
  })
  .post("/downloads/:fileId{[0-9]+}", (c) =>
    unlessRefused(c, "/downloads", async () => {
      const query = { file_id: Number(c.req.param("fileId")) };
      const { data: file } = await me(c).GET("/api/v1/user/download-file", { params: { query } });
      return sendFile(c, file);
    }),
  );
