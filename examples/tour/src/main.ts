import { randomBytes } from "node:crypto";
import { governAccess } from "./chapters/access.js";
import { approve } from "./chapters/approval.js";
import { standOrFall } from "./chapters/containment.js";
import { decideRequests } from "./chapters/decision.js";
import { catchChange } from "./chapters/drift.js";
import { stopTool } from "./chapters/emergency.js";
import { registerEstate } from "./chapters/estate.js";
import { governFindings } from "./chapters/findings.js";
import { holdBack } from "./chapters/gate.js";
import { haltForFinding } from "./chapters/halt.js";
import { readHistories } from "./chapters/history.js";
import { cutOffMachine } from "./chapters/machine.js";
import { lookFromNextDoor } from "./chapters/neighbour.js";
import { release } from "./chapters/production.js";
import { prove } from "./chapters/proof.js";
import { fileReport } from "./chapters/report.js";
import { find } from "./chapters/search.js";
import { controlSession } from "./chapters/session.js";
import { signOnToApplication } from "./chapters/sign-on.js";
import { connectSystems } from "./chapters/systems.js";
import { ownTenant } from "./chapters/tenant.js";
import { cutOffToken } from "./chapters/tool-token.js";
import { Client } from "./client.js";
import { Unexpected } from "./expectation.js";
import { Mailbox } from "./mailbox.js";
import { closing, failure, title } from "./page.js";
import { known, type Story } from "./story.js";

const CHAPTERS = [
  ownTenant,
  registerEstate,
  approve,
  release,
  find,
  readHistories,
  stopTool,
  catchChange,
  governFindings,
  holdBack,
  decideRequests,
  standOrFall,
  haltForFinding,
  controlSession,
  cutOffMachine,
  connectSystems,
  governAccess,
  cutOffToken,
  signOnToApplication,
  fileReport,
  lookFromNextDoor,
  prove,
];

async function tour(baseUrl: string): Promise<void> {
  const started = performance.now();
  const server = await Client.of(baseUrl);
  const mailbox = new Mailbox(process.env.REEVE_MAIL || "./data/mail");
  const story: Story = { mark: randomBytes(4).toString("hex"), server, mailbox, tools: [], refusals: 0 };
  title("Reeve, the tour", `HTTP only, against ${baseUrl}`);
  for (const play of CHAPTERS) await play(story);
  const { ok: hasConsole } = await fetch(`${baseUrl}/console`);
  summarise(story, performance.now() - started, hasConsole);
}

/** How somebody sees in a browser what the tour has left. Its tenant and the password are invented anew in every run. */
function entrance({ server, adaSignsInBy }: Story): readonly (readonly [string, string])[] {
  const { username, password } = known(adaSignsInBy, "how Ada signs in");
  return [
    ["See it", `${server.baseUrl}/console`],
    ["Sign in as", username],
    ["Password", password],
  ];
}

function summarise(story: Story, ms: number, hasConsole: boolean): void {
  const assets = [known(story.mcpServer, "the MCP server"), ...story.tools];
  const tally = (values: string[]) =>
    [...new Set(values)].map((value) => `${values.filter((one) => one === value).length} ${value}`).join(", ");
  const chain = known(story.chain, "the chain");
  closing("All as expected.", [
    ["Estate", `${assets.length} assets: ${tally(assets.map(({ assetType }) => assetType))}`],
    ["Lifecycle", tally(assets.map(({ status }) => status))],
    ["Governance", tally(assets.map(({ governanceState }) => governanceState))],
    ["Refused, rightly", `${story.refusals} requests`],
    ["On record", `${chain.events} events, head ${chain.head.slice(0, 16)}…`],
    ["Took", `${(ms / 1_000).toFixed(1)} s`],
    ...(hasConsole ? entrance(story) : []),
  ]);
}

/** The error as text: expected and actual answer with the request id, or why the server could not be called. */
function explain(error: unknown, baseUrl: string): string[] {
  if (error instanceof Unexpected) {
    const show = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing"));
    return [
      `The tour stops: ${error.what}`,
      `  expected    ${show(error.expected)}`,
      `  got         ${show(error.got)}`,
      ...(error.requestId === undefined ? [] : [`  request id  ${error.requestId}`]),
    ];
  }
  const { message, cause, stack } = error as Error;
  if (message === "fetch failed")
    return [
      `The tour stops: ${baseUrl} does not answer (${(cause as Error | undefined)?.message ?? message}).`,
      "Start the server with: npm start",
    ];
  return [`The tour stops: ${stack ?? message}`];
}

const baseUrl = (process.env.REEVE_BASE_URL || "http://127.0.0.1:4000").replace(/\/+$/, "");
try {
  await tour(baseUrl);
} catch (error) {
  failure(explain(error, baseUrl));
  process.exitCode = 1;
}
