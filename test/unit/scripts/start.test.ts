import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { listen } from "../../../scripts/listen.ts";

const start = (...args: string[]) => {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/start.ts", ...args], { encoding: "utf8" });
  return { status, stderr: stderr.trim() };
};

it("starts the shop at the port of its argument", async () => {
  const { url, close } = await listen(() => {}, "localhost");
  const { port } = new URL(url);
  const stderr = `Port ${port} is in use. Choose another one: npm start -- --port 3000`;
  expect(start("--port", port)).toEqual({ status: 1, stderr });
  close();
});

it.each([["--prot", "3000"], ["3000"], ["--port", "shop"], ["--port", "65536"]])("refuses %s %s", (...args) => {
  const stderr = "npm start takes only a port: npm start -- --port 3000";
  expect(start(...args)).toEqual({ status: 1, stderr });
});
