/** A state in the API's own word: `partially_refunded` is Partially refunded. */
export const Status = ({ of: status }: { of: string }) => {
  const words = status.replaceAll("_", " ");
  return <span class={`status ${status}`}>{words.charAt(0).toUpperCase() + words.slice(1)}</span>;
};
