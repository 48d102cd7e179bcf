/** The message of the last action. Screen readers announce it. */
export const Flash = ({ tone, text }: { tone: "success" | "warning"; text: string }) => (
  <p class={`notice ${tone}`} role="status">
    {text}
  </p>
);
