import { agents } from "#families/estate/index.js";
import { type Decision, type DecisionFields, type DecisionWatch, decideInProcess } from "#families/governance/index.js";
import { completeSession, heartbeat, type Session } from "#families/sessions/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import { cutText } from "#kernel/records/cut-text.js";
import { minutesMs } from "#ports/durations.js";
import { noteSeen, requireInstallation } from "../installations/credentials/own.js";
import type { Installation } from "../installations/schema.js";
import { categoryOf } from "../packs/tools/index.js";
import { noteCall } from "../watches/note-call.js";
import { watchOver } from "../watches/queries.js";
import { letsPass } from "../watches/rules.js";
import type { Watch } from "../watches/schema.js";
import { type HookAnswer, type HookClient, type HookQuestion, isHookClient } from "./fields.js";
import { goesOn, knownSession, openSession } from "./open-session.js";
import { type Called, resolveTool } from "./resolve-tool.js";
import { DIALECTS, type HookCall, type Verdict } from "./speak-dialects.js";

/** The name of the action in decisions: what the Model Context Protocol calls it. */
const CALL = "tools/call";
/** The longest names that events and rules see. */
const LONGEST = 200;

/** Names no session. */
const NO_SESSION = "none";
/** Without a session of its own, everything of an installation is one session. */
const ONLY_SESSION = "";

/**
 * Decides about a call of a tool that a client is about to make, and answers in the client's form. A moment that is not
 * before a call is answered with nothing, which leaves the client to itself. 403 for another client than was enrolled.
 */
export async function askHook(ctx: OutsideContext, client: HookClient, question: HookQuestion): Promise<HookAnswer> {
  const installation = await requireInstallation(ctx);
  if (installation.client !== client)
    throw new ReeveError("permission_denied", `The installation was enrolled for ${installation.client}.`);
  const dialect = DIALECTS[client];
  const clientSession = question.session_id ?? question.conversation_id ?? ONLY_SESSION;
  if (question.hook_event_name === dialect.ended) return endSession(ctx, installation, clientSession);
  const call = dialect.read(question);
  if (!call) return {};
  const agent = (await ctx.db.lookup(agents, "asset", { assetId: installation.agentId }))?.value;
  const called = await resolveTool(ctx, agent, call, dialect);
  const session = await sessionOf(ctx, installation, clientSession);
  const request = requestOf(installation, question, call, called, session);
  const watching = await watchOver(ctx, installation.team);
  const isToolUnknown = agent !== undefined && called === undefined;
  const watch = watching && decisionWatch(watching, installation, toolOf(call), isToolUnknown);
  const options = { approvals: "any", ...(watch ? { watch } : {}) } as const;
  const decision = await decideInProcess(ctx.env, ctx.principal, ctx.request, request, options);
  const verdict = verdictOf(decision, ctx.env.options.baseUrl);
  const passes = decision.status !== "allow" && watch?.letsPass(decision.context?.reasons ?? []);
  return dialect.answer(watching && passes ? watchedOf(verdict, watching) : verdict, question);
}

/** The session of the call. What was heard of is written at most once a minute. */
async function sessionOf(
  ctx: OutsideContext,
  installation: Installation,
  clientSession: string,
): Promise<Session | undefined> {
  const { session } = await knownSession(ctx, installation, clientSession);
  const isFresh = (moment: string | null) => moment !== null && Date.parse(moment) > ctx.request.nowMs - minutesMs(1);
  const isNoted = isFresh(installation.lastSeenAt) && session && isFresh(session.lastActivityAt);
  if (session && goesOn(session) && (isNoted || session.status !== "active")) return session;
  return ctx.write(async (inner) => {
    const opened = await openSession(inner, installation, clientSession);
    await noteSeen(inner, installation);
    return opened?.status === "active" ? heartbeat(inner, opened, {}) : opened;
  });
}

/** Ends the session of a client, which calls at the same moment may have changed since it was looked up. */
async function endSession(ctx: OutsideContext, installation: Installation, clientSession: string): Promise<HookAnswer> {
  if ((await knownSession(ctx, installation, clientSession)).session?.status !== "active") return {};
  await ctx.write(async (inner) => {
    const { session } = await knownSession(inner, installation, clientSession);
    if (session?.status === "active") await completeSession(inner, session, undefined);
  });
  return {};
}

function requestOf(
  installation: Installation,
  question: HookQuestion,
  call: HookCall,
  called: Called | undefined,
  session: Session | undefined,
): DecisionFields {
  const { agentId, id, client, clientVersion, userId, team } = installation;
  const tool = toolOf(call);
  const directory = lastName(question.cwd);
  return {
    subject: { type: "agent", id: agentId },
    action: { name: CALL, properties: { tool, arguments: call.input } },
    // A name that stands for no record is that of an unknown tool, which is denied.
    resource: called ? withCategory(called, installation, tool) : { type: "tool", id: tool },
    context: {
      // Without a session the id names none, which is denied: what keeps a session from starting may be of the identity alone.
      sessionId: session?.id ?? NO_SESSION,
      installation: { id, client, clientVersion, userId, team },
      directory,
      // A client cannot say what it wants an approval for. Whoever approves gives one call, or chooses more.
      approvalScope: session ? WIDEST : {},
      permissionMode: question.permission_mode ?? null,
    },
  };
}

/** What a tool of the client itself does, for rules. */
function withCategory(called: Called, { client }: Installation, tool: string) {
  const category = isHookClient(client) ? categoryOf(client, tool) : undefined;
  return category === undefined ? called : { ...called, properties: { category } };
}

/** The most that may be approved at once of what a client asks for. */
const WIDEST = { covers: "tool_in_session" };

const toolOf = ({ tool }: HookCall): string => cutText(tool, LONGEST) || "(none)";

/** A watch as the decision about a call keeps to it. */
function decisionWatch(
  { id }: Watch,
  { agentId, team }: Installation,
  tool: string,
  isToolUnknown: boolean,
): DecisionWatch {
  return {
    id,
    letsPass: (reasons) => letsPass(reasons, isToolUnknown),
    note: (ctx, { status, reasons }) => noteCall(ctx, { watchId: id, tool, status, reasons, agentId, team }),
  };
}

/** The answer to a call that is only watched. */
function watchedOf({ reason }: Verdict, { expiresAt }: Watch): Verdict {
  return { decision: "allow", reason: `Only watched until ${expiresAt}; without that: ${reason}` };
}

/** The last name of a directory. The path before it tells of the person, and is not read. */
function lastName(directory: string | undefined): string | null {
  const name = directory?.split(/[\\/]/).findLast((part) => part !== "");
  return name === undefined ? null : cutText(name, LONGEST);
}

/** A decision in words for a person and a model. */
function verdictOf({ status, id, context }: Decision, baseUrl: string | undefined): Verdict {
  const messages = [...new Set(context?.reasons.map(({ message }) => message))].join(" ");
  if (status === "allow") return { decision: "allow", reason: `${messages} (${id})` };
  const approval = context?.approval;
  if (status === "require_approval" && approval) {
    const where = `${baseUrl ?? ""}/api/v1/ai-governance/approvals/${approval.id}`;
    const again = "Once somebody has approved it, the same call passes once, or as often as was approved.";
    return { decision: "deny", reason: `It waits for approval: ${where}. ${messages} ${again} (${id})` };
  }
  return { decision: "deny", reason: `Denied by a rule of your organisation. ${messages} (${id})` };
}
