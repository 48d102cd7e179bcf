/** Where the API's own word says too little to a shopper. */
const words: Record<string, string> = { pending: "Waiting for payment", processing: "Being prepared" };

/** The state of an order or a package: `partially_refunded` is Partially refunded. */
export const Status = ({ of: status }: { of: string }) => {
  const said = words[status] ?? status.replaceAll("_", " ");
  return <span class={`status ${status}`}>{said.charAt(0).toUpperCase() + said.slice(1)}</span>;
};
