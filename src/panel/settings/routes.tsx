import { Hono } from "hono";
import { administer } from "../../platform/auth/gates.ts";
import { Allowed } from "../kit/allowed.tsx";
import { PageHeader } from "../kit/page-parts.tsx";
import { type PanelEnv, page } from "../page.tsx";
import { settingGroups } from "../sections.ts";

export const settingsPages = new Hono<PanelEnv>().get("/settings", administer("settings:read"), (c) =>
  page(c, "Settings", <SettingsPage />),
);

const SettingsPage = () => (
  <>
    <PageHeader />
    {settingGroups.map(({ title, cards }) => (
      <section class="group">
        <h2>{title}</h2>
        <div class="tiles links">
          {cards.map(({ path, name, needs, about }) => (
            <Allowed to={needs}>
              <a class="tile" href={path}>
                <strong>{name}</strong> {about}
              </a>
            </Allowed>
          ))}
        </div>
      </section>
    ))}
  </>
);
