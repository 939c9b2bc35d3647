import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { GuardConfig } from "./far-guards.js";
import type { ServerConfig } from "./server.js";

const RESULTS = fileURLToPath(new URL("../results", import.meta.url));

// Servers load only what they need, so that the driver's modules do not weigh on the measurement.
async function serve(config: string): Promise<void> {
  const { serveForParent } = await import("./launch.js");
  await serveForParent(JSON.parse(config) as ServerConfig);
}

async function serveMcp(): Promise<void> {
  const { serveMcpForParent } = await import("./mcp-launch.js");
  await serveMcpForParent();
}

async function bench(args: readonly string[]): Promise<void> {
  const { readOptions, USAGE } = await import("./options.js");
  if (args.includes("--help")) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  let options: ReturnType<typeof readOptions>;
  try {
    options = readOptions(args, RESULTS);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}\n`);
    process.exitCode = 1;
    return;
  }
  const [{ run }, { launchApart }, { guardApart }, { launchMcpApart }, { renderReport, shortfalls }, { Progress }] =
    await Promise.all([
      import("./run.js"),
      import("./launch.js"),
      import("./far-guards.js"),
      import("./mcp-launch.js"),
      import("./report.js"),
      import("./progress.js"),
    ]);
  const launches = { server: launchApart, guards: guardApart, mcp: launchMcpApart };
  const results = await run(options, launches, new Progress());
  const report = renderReport(results);
  process.stdout.write(`${report}\n`);
  const below = shortfalls(results);
  process.stdout.write(`${below.length} figures below what they must reach\n`);
  for (const { cells } of below) process.stdout.write(`  ${cells.join(" | ")}\n`);
  if (options.results === undefined) return;
  mkdirSync(options.results, { recursive: true });
  const file = join(
    options.results,
    `${results.date.slice(0, 10)}-${results.machine.commit.replace("+", "-changed")}.json`,
  );
  writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`);
  writeFileSync(join(options.results, "README.md"), report);
  process.stdout.write(`written to ${file}\n`);
}

async function serveGuard(config: string): Promise<void> {
  const { guardForParent } = await import("./far-guards.js");
  await guardForParent(JSON.parse(config) as GuardConfig);
}

const [command, ...rest] = process.argv.slice(2);
if (command === "serve") await serve(rest[0] as string);
else if (command === "serve-guard") await serveGuard(rest[0] as string);
else if (command === "access") await (await import("./access.js")).benchAccess(rest);
else if (command === "audit") await (await import("./audit.js")).benchAudit(rest);
else if (command === "beside") await (await import("./beside.js")).benchBeside(rest);
else if (command === "bytes") await (await import("./bytes.js")).benchBytes(rest);
else if (command === "commits") await (await import("./commits.js")).benchCommits(rest);
else if (command === "event-loop") await (await import("./event-loop.js")).benchEventLoop(rest);
else if (command === "evaluations") await (await import("./evaluations.js")).benchEvaluations(rest);
else if (command === "containment") await (await import("./containment.js")).benchContainment(rest);
else if (command === "console") await (await import("./console.js")).benchConsole(rest);
else if (command === "decisions") await (await import("./decisions.js")).benchDecisions(rest);
else if (command === "decide")
  await (await import("./decider-process.js")).decideForParent(rest[0] as string, Number(rest[1]));
else if (command === "probe") (await import("./prober.js")).probeForParent();
else if (command === "certification") await (await import("./certification.js")).benchCertification(rest);
else if (command === "doors") await (await import("./doors.js")).benchDoors(rest);
else if (command === "hot-tenant") await (await import("./hot-tenant.js")).benchHotTenant(rest);
else if (command === "hooks") await (await import("./hooks.js")).benchHooks(rest);
else if (command === "tick") await (await import("./tick.js")).benchTick(rest);
else if (command === "connectors") await (await import("./connectors.js")).benchConnectors(rest);
else if (command === "discovery") await (await import("./discovery.js")).benchDiscovery(rest);
else if (command === "execute") await (await import("./execute.js")).benchExecute(rest);
else if (command === "guard") await (await import("./guard.js")).benchGuard(rest);
else if (command === "partitions") await (await import("./partitions.js")).benchPartitions(rest);
else if (command === "processes") await (await import("./processes.js")).benchProcesses(rest);
else if (command === "promotions") await (await import("./promotions.js")).benchPromotions(rest);
else if (command === "lists") await (await import("./lists.js")).benchLists(rest);
else if (command === "start") (await import("./start.js")).benchStart(rest);
else if (command === "work")
  await (await import("./builds/work-process.js")).workForParent(rest[0] as string, rest[1] === "true");
else if (command === "saml") await (await import("./saml.js")).benchSaml(rest);
else if (command === "serve-saml") await (await import("./saml.js")).serveSaml(rest[0] as string, rest[1] as string);
else if (command === "serve-mcp") await serveMcp();
else await bench(process.argv.slice(2));
