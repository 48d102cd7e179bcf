import type { PropsWithChildren } from "hono/jsx";

/** What stands where a list has nothing: why, and what to do about it. */
export const EmptyState = ({ title, children }: PropsWithChildren<{ title: string }>) => (
  <div class="empty">
    <p class="title">{title}</p>
    <div class="muted">{children}</div>
  </div>
);
