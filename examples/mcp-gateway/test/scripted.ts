import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { InMemoryTransport, Server } from "@modelcontextprotocol/server";
import type { Tool } from "../src/upstream.js";

/** A server of the official library in this process, which describes the tools of a test, and whose calls end when it says so. */
export function scripted(tools: readonly Tool[]) {
  const script = {
    tools,
    /** The names of the tools that were called. */
    made: [] as string[],
    /** What ends each call, with a text. */
    waiting: [] as ((text: string) => void)[],
    breakOff: async () => {},
    open() {
      const [near, far] = InMemoryTransport.createLinkedPair();
      const server = new Server({ name: "Scripted", version: "1.0.0" }, { capabilities: { tools: {} } });
      server.setRequestHandler("tools/list", () => ({ tools: script.tools }) as never);
      server.setRequestHandler("tools/call", ({ params }) => {
        script.made.push(params.name);
        return new Promise((resolve) => {
          script.waiting.push((text) => resolve({ content: [{ type: "text", text }] }));
        });
      });
      script.breakOff = () => server.close();
      void server.connect(far);
      return near;
    },
  };
  return script;
}

/** A way to Reeve that can be cut for some paths, and for all. */
export async function cuttable(url: string) {
  const cut = { paths: /^$/ };
  const proxy = createServer((asked, response) => {
    if (cut.paths.test(asked.url ?? "")) return void asked.socket.destroy();
    const { method = "GET", headers } = asked;
    const passed = request(url + asked.url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    cut,
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    stop() {
      proxy.closeAllConnections();
      return new Promise((resolve) => proxy.close(resolve));
    },
  };
}
