// What runs on Node 22 and later: frameworks that cannot be installed for Node 20. It plays all stories with one of them, and
// prints what came of them.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openGuard } from "@reeve/guard";
import { aiSdk } from "./drivers/ai-sdk.js";
import { mastra } from "./drivers/mastra.js";
import { openAiAgents, refusedBesideSchema, ScriptedOpenAi } from "./drivers/openai-agents.js";
import { ScriptedV3 } from "./drivers/scripted-v3.js";
import { type Driver, Tools } from "./story/driver.js";
import { GUIDE_CALLS, playGuide } from "./story/guide.js";
import { cutOffInMidCall } from "./story/mid-call.js";
import { overARestart } from "./story/restart.js";
import { TWENTY } from "./story/twenty-calls.js";
import { WAYS, World } from "./story/world.js";

const [folder = "", name = "", guide = ""] = process.argv.slice(2);
const installed = createRequire(join(folder, "package.json"));
/** Each framework, taken whole and as a stream. */
const DRIVERS: Readonly<Record<string, (version: string) => readonly [Driver, Driver]>> = {
  "@openai/agents": (version) => [
    openAiAgents(installed("@openai/agents"), version),
    openAiAgents(installed("@openai/agents"), version, true),
  ],
  ai: (version) => [aiSdk(installed("ai"), version), aiSdk(installed("ai"), version, "streamText")],
  "@mastra/core": (version) => {
    const library = { ...installed("@mastra/core/agent"), ...installed("@mastra/core/tools") };
    return [mastra(library, version), mastra(library, version, "stream")];
  },
};

const manifest = readFileSync(join(folder, "node_modules", name, "package.json"), "utf8");
const { version } = JSON.parse(manifest) as { version: string };
const [driver, streaming] = (DRIVERS[name] as (version: string) => readonly [Driver, Driver])(version);
const world = await World.open();
const known = await world.fill();
const answers: unknown[] = [];
const midCall: unknown[] = [];
for (const way of WAYS) {
  for (const [what, , play] of TWENTY)
    answers.push([way, what, await play({ world, driver, way, known, to: `${what} ${way}` }).catch(String)]);
  for (const one of [driver, streaming]) midCall.push(await cutOffInMidCall(world, one, way, known).catch(String));
}
const restart = await overARestart([driver], join(tmpdir(), `guard-${process.pid}.sqlite`)).catch(String);
const model =
  name === "@openai/agents"
    ? new ScriptedOpenAi(installed(name), GUIDE_CALLS, new Tools())
    : new ScriptedV3(GUIDE_CALLS, new Tools());
const besides =
  name === "@openai/agents"
    ? await refusedBesideSchema(
        installed(name),
        await openGuard({ reeve: world.backend("in process", known), agent: "Teller" }),
      )
    : [];
const paid = guide && (await playGuide(world, known, pathToFileURL(guide).href, { model }));
await world.close();
process.stdout.write(JSON.stringify({ version, answers, midCall, restart, paid, besides }));
process.exit(0);
