import type { Names } from "./names.js";

/** The test, and a service for it to start. */
export const testFiles = ({ key, factory }: Names): Readonly<Record<string, string>> => ({
  [`test/${key}.test.ts`]: `import { connectorConformance } from "@reeve/testkit/connectors";
import { ${factory} } from "../src/index.js";
import { startService, TOKEN } from "./service.js";

connectorConformance(${factory}(), async () => {
  const service = await startService();
  return {
    address: service.address,
    config: ({ host, port }) => ({ url: \`http://\${host}:\${port}\` }),
    secrets: { token: TOKEN },
    wrongSecrets: { token: "a token that nobody has" },
    reset: async () => service.reset(),
    // Another way to look than the connector's own: here, the memory of the service.
    observe: async () => ({ assets: service.agents.map(({ id }) => id) }),
    rename: async () => {
      for (const agent of service.agents) agent.name = \`\${agent.name}, renamed\`;
    },
    close: () => service.close(),
  };
});
`,
  "test/service.ts": `import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export const TOKEN = "the token of the test";

const NAMES = ["Scheduler", "Translator", "Summariser", "Reviewer", "Archivist"];

/** A service with an account and agents, on a free port. */
export async function startService() {
  const agents: { id: string; name: string }[] = [];
  const answers: Record<string, (query: URLSearchParams) => object> = {
    "/account": () => ({ id: "account-1", name: "Test" }),
    "/agents": (query) => {
      const [offset, limit] = [Number(query.get("offset")), Number(query.get("limit"))];
      return { agents: agents.slice(offset, offset + limit), total: agents.length };
    },
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://service.invalid");
    const known = request.headers.authorization === \`Bearer \${TOKEN}\`;
    const answer = answers[pathname];
    response.setHeader("content-type", "application/json");
    response.writeHead(!known ? 401 : answer ? 200 : 404);
    response.end(known && answer ? JSON.stringify(answer(searchParams)) : undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    address: { host: "127.0.0.1", port },
    agents,
    reset() {
      agents.splice(0, agents.length, ...NAMES.map((name, at) => ({ id: \`agent-\${at}\`, name })));
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
`,
});
