import type { PageOf } from "../../db/page.ts";
import type { UserRow } from "../../users/queries.ts";
import type { SessionRow } from "../../users/sessions/queries.ts";
import { DescriptionList } from "../kit/description-list.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { ACCOUNT } from "./path.ts";
import { Sessions } from "./sessions.tsx";

type Props = { user: UserRow; sessions: PageOf<SessionRow>; current: string };

export const AccountPage = ({ user, sessions, current }: Props) => (
  <>
    <PageHeader title="Your account" />
    <section class="card">
      <DescriptionList facts={{ Name: user.name, "E-mail": user.email }} />
    </section>
    <Sessions sessions={sessions} current={current} path={`${ACCOUNT}/sessions`} />
  </>
);
