import type { PropsWithChildren } from "hono/jsx";

/** Replaces an empty list: why it is empty, and what to do. */
export const EmptyState = ({ title, children }: PropsWithChildren<{ title: string }>) => (
  <div class="empty">
    <p class="title">{title}</p>
    <div class="muted">{children}</div>
  </div>
);
