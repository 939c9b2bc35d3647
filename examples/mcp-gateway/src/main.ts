import { accessTo, connect, revoke, say } from "./demonstration.js";
import { startGateway } from "./gateway.js";
import { startService } from "./service.js";

const print = (line: string) => process.stdout.write(`${line}\n`);

const service = await startService();
const gateway = await startGateway({ reeve: service.url });
const access = await accessTo(["get-sum", "toggle-simulated-logging"], service);
print("Ada asked for two tools, Grace approved it, and they are granted");
const client = await connect(gateway, access.token);
print(`the agent calls get-sum: ${await say(client, "get-sum", { a: 3, b: 4 })}`);
print(`the agent calls get-sum with a text: ${await say(client, "get-sum", { a: "three", b: 4 })}`);
print(`the agent calls toggle-simulated-logging: ${await say(client, "toggle-simulated-logging", {})}`);
print(`the agent calls echo: ${await say(client, "echo", { message: "Hello" })}`);
await revoke(service, access);
print("Ada revokes the access");
print(`the agent calls get-sum: ${await say(client, "get-sum", { a: 3, b: 4 }).catch(() => "its token is over")}`);
await client.close();
await gateway.close();
await service.close();
