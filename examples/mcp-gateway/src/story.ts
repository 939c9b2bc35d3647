import { approve, connect, govern, halt, newAgent, say, switchOff } from "./demonstration.js";
import { startGateway } from "./gateway.js";
import { startService } from "./service.js";

/** Tells a story in lines: what people decide, and what comes of an agent's calls. */
export async function tell(print: (line: string) => unknown): Promise<void> {
  const service = await startService();
  const where = await govern(service);
  const gateway = await startGateway(where);
  print("Ada registered a server, and Grace approved four of its tools and a policy");
  const agent = await newAgent(service, where);
  const client = await connect(gateway, agent);
  const sum = (a: number) => say(client, "get-sum", { a, b: 4 });
  print(`the agent calls get-sum: ${await sum(3)}`);
  print(`the agent calls get-sum with a large number: ${await sum(5000)}`);
  await approve(service);
  print(`Grace approves that, and the agent calls it again: ${await sum(5000)}`);
  print(`the agent calls toggle-simulated-logging: ${await say(client, "toggle-simulated-logging", {})}`);
  print(`the agent calls echo: ${await say(client, "echo", { message: "Hello" })}`);
  print(`the agent calls get-env: ${await say(client, "get-env", {})}`);
  const lift = await halt(service, where);
  print("Ada halts the server");
  print(`the agent calls get-sum: ${await sum(3)}`);
  await lift();
  await switchOff(service, agent);
  print("Grace lifts the halt, and Ada switches the agent off");
  print(`the agent calls get-sum: ${await sum(3).catch(() => "its token is over")}`);
  await client.close();
  await gateway.close();
  await service.close();
}
