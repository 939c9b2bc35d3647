import { expect, it } from "vitest";
import { guardedEgress, guardedFetch, type ReeveError } from "../../../src/index.js";
import { flood, speak } from "../servers.js";

it("leaves no memory and no handle behind", async () => {
  const chunk = Buffer.alloc(65_536, "a");
  const port = await speak((socket) => socket.write("HTTP/1.1 200 OK\r\n\r\n", () => flood(socket, chunk, 1e10)));
  const egress = guardedEgress({ allow: [`127.0.0.1:${port}`] });
  const url = `http://127.0.0.1:${port}/`;
  const run = async (times: number) => {
    let cut = 0;
    for (let round = 0; round < times; round++) {
      cut += await egress.request({ url, maxBytes: 50_000 }).then(
        () => 0,
        ({ members }: ReeveError) => Number(members.reason === "too_large"),
      );
      await (await guardedFetch(egress)(url)).body?.cancel();
    }
    return cut;
  };
  const handles = (kind: string) => process.getActiveResourcesInfo().filter((name) => name === kind).length;
  await run(100);
  await expect.poll(() => handles("TCPSocketWrap")).toBe(0);
  const before = { timers: handles("Timeout"), memory: await settledMemory() };
  expect(await run(300)).toBe(300);
  await expect.poll(() => handles("TCPSocketWrap")).toBe(0);
  expect(handles("Timeout")).toBeLessThanOrEqual(before.timers);
  expect((await settledMemory()) - before.memory).toBeLessThan(6_000_000); // a leak of 10 kB per call would exceed it
});

/** Bytes in use after garbage collection. */
async function settledMemory(): Promise<number> {
  const { setFlagsFromString } = await import("node:v8");
  const { runInNewContext } = await import("node:vm");
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let times = 0; times < 4; times++) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
