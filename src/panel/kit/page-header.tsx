import type { PropsWithChildren } from "hono/jsx";

/** A page's heading. Its children are the page's actions; `back` links to its parent. */
export const PageHeader = ({
  title,
  back,
  children,
}: PropsWithChildren<{ title: string; back?: { path: string; name: string } }>) => (
  <header class="page-header">
    <div>
      {back && (
        <a class="back" href={back.path}>
          {back.name}
        </a>
      )}
      <h1>{title}</h1>
    </div>
    {children && <div class="actions">{children}</div>}
  </header>
);
