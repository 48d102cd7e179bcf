/** What the last write did. Read out as soon as it stands on the page. */
export const Flash = ({ tone, text }: { tone: "success" | "warning"; text: string }) => (
  <p class={`notice ${tone}`} role="status">
    {text}
  </p>
);
