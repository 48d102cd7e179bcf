import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * A proxy to the shop. Each of the first connections breaks after it has returned this many bytes. With 0, the shop has
 * answered but nothing of the response arrives. `opened` is the number of connections.
 */
export async function aLossyLine(baseUrl: string, losses: number[]) {
  const { hostname, port } = new URL(baseUrl);
  const sockets: Socket[] = [];
  let opened = 0;
  const line = createServer((near) => {
    const loss = losses[opened++] ?? Number.POSITIVE_INFINITY;
    const far = connect(Number(port), hostname);
    sockets.push(near, far);
    const end = () => [near, far].map((socket) => socket.destroy());
    let brought = 0;
    near.pipe(far);
    far.on("data", (bytes) => {
      brought += bytes.length;
      if (brought > loss) return end();
      if (!near.write(bytes)) far.pause();
    });
    near.on("drain", () => far.resume());
    for (const socket of [near, far]) socket.on("error", end).on("close", end);
  });
  await new Promise<void>((resolve) => line.listen(0, "localhost", resolve));
  return {
    baseUrl: `http://localhost:${(line.address() as AddressInfo).port}`,
    opened: () => opened,
    close: () => {
      for (const socket of sockets) socket.destroy();
      line.close();
    },
  };
}
