import { cutOffInMidCall } from "./demonstration.js";
import { startService } from "./service.js";
import { connectTools } from "./tools.js";

const service = await startService();
const tools = await connectTools();
await cutOffInMidCall(service, tools, (line) => process.stdout.write(`${line}\n`));
await tools.close();
await service.close();
