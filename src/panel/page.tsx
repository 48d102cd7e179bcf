import type { Child } from "hono/jsx";
import type { PageContext } from "./env.ts";
import { takeFlash } from "./flash.ts";
import { ViewedBy } from "./kit/allowed.tsx";
import { Flash } from "./kit/flash.tsx";
import { Bare, Layout } from "./layout.tsx";

/** A whole page: the last message and `content` in the signed-in frame. */
export async function page(c: PageContext, title: string, content: Child): Promise<Response> {
  const waiting = takeFlash(c);
  const body = (
    <>
      {waiting && <Flash {...waiting} />}
      {content}
    </>
  );
  const document = c.var.identity ? (
    <ViewedBy value={c.var.identity}>
      <Layout title={title} path={c.req.path} currency={c.var.settings.currency}>
        {body}
      </Layout>
    </ViewedBy>
  ) : (
    <Bare title={title}>{body}</Bare>
  );
  return c.html(`<!doctype html>${await document.toString()}`);
}
