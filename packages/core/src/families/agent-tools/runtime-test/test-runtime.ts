import { ConnectorError, type McpEndpoint, type ToolSpec } from "#connectors/index.js";
import { accessIdentities, accessProfiles } from "#families/access/index.js";
import { recordUses, type UseDraft } from "#families/access-drift/index.js";
import {
  type AccessAssignment,
  accessAssignments,
  circumstancesOf,
  ineffectiveBecause,
} from "#families/access-grants/index.js";
import { connectorCalls, instances } from "#families/connectors/index.js";
import { assets, deniedBecause, effectiveOf, scheduleNoticed } from "#families/estate/index.js";
import { subjectOf } from "#kernel/events/record-events.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { grantOf } from "../execute/begin-call.js";
import { useOf } from "../execute/describe-use.js";
import { callTool } from "../execute/execute-tool.js";
import { NO_CONSTRAINTS } from "../tokens/constraints/schema.js";
import { liveTokens } from "../tokens/end-token.js";
import { judge } from "../tokens/judge-token.js";
import { MOST_TOKENS, meansTheSame, toolHash, toolsOf } from "../tokens/rules.js";
import { type RuntimeTest, type RuntimeTestRequest, STEPS, type Step, type StepName } from "./schema.js";

const MOST = 500;

/** What a failed step says. */
class Stop {
  constructor(
    readonly verdict: "fail" | "blocked",
    readonly code: string,
    readonly message: string,
    readonly remediation: string,
    readonly latencyMs?: number,
  ) {}
}

const blocked = (code: string, message: string, remediation: string) => new Stop("blocked", code, message, remediation);

/** What a test has found, before it is stored. */
export interface Tested extends Pick<RuntimeTest, "verdict" | "steps"> {
  readonly use: UseDraft | undefined;
  /** The MCP server that has said that it offers other things now. */
  readonly changed: McpEndpoint | undefined;
}

/** Looks through everything that a real call depends on, in its order, with a token that exists in memory only. */
export async function lookThrough(ctx: ReadContext, assetId: string, body: RuntimeTestRequest): Promise<Tested> {
  const { id } = await ctx.getOrThrow(assets, assetId);
  const work = new TestRun(ctx, id, body);
  const steps: Step[] = [];
  let verdict: RuntimeTest["verdict"] = "pass";
  for (const name of STEPS) {
    if (verdict !== "pass") {
      steps.push({ name, status: "skip", message: "Not looked at." });
      continue;
    }
    const found = await work.look(name);
    if (typeof found === "string") steps.push({ name, status: "pass", message: found });
    else if (found instanceof Stop) {
      const { code, message, remediation, latencyMs } = found;
      verdict = found.verdict;
      const reported = { code, message, remediation, ...(latencyMs === undefined ? {} : { latencyMs }) };
      steps.push({ name, status: "fail", ...reported });
    } else steps.push({ name, status: found.skipped ? "skip" : "pass", ...found.reported });
  }
  return { verdict, steps, use: work.useOf(verdict, steps), changed: work.changed };
}

/** Stores that it was tested, so that nobody takes it for use. */
export async function storeTest(
  ctx: Context,
  assetId: string,
  body: RuntimeTestRequest,
  { verdict, steps, use, changed }: Tested,
): Promise<RuntimeTest> {
  const [stored] = use ? await recordUses(ctx, [use]) : [];
  if (changed) await scheduleNoticed(ctx, changed);
  const { tool, connectorInstanceId, accessProfileId, reason } = body;
  const asked = { tool: tool ?? null, connectorInstanceId: connectorInstanceId ?? null };
  const about = { ...asked, accessProfileId: accessProfileId ?? null, reason: reason ?? null };
  const stoppedAt = steps.find(({ status }) => status === "fail")?.name ?? null;
  await ctx.emit({
    type: "access.runtime.tested",
    subject: subjectOf(assets, assetId),
    data: { verdict, ...about, stoppedAt },
  });
  return { verdict, steps, usageId: stored?.id ?? null };
}

type Found = string | Stop | { readonly skipped: boolean; readonly reported: Pick<Step, "message" | "latencyMs"> };

class TestRun {
  /** Access that fits, then what of it is in force and means what was decided. */
  #access: AccessAssignment[] = [];
  #spec: ToolSpec | undefined;
  #backing: AccessAssignment | undefined;
  changed: McpEndpoint | undefined;

  constructor(
    readonly ctx: ReadContext,
    readonly assetId: string,
    readonly body: RuntimeTestRequest,
  ) {}

  look(name: StepName): Promise<Found> {
    return this.#looks[name]();
  }

  readonly #looks: Readonly<Record<StepName, () => Promise<Found>>> = {
    asset: async () => {
      const asset = await this.ctx.getOrThrow(assets, this.assetId);
      const decision = await effectiveOf(this.ctx, asset.id, asset.assetType);
      if (decision.decision !== "deny") return "It may be used.";
      return blocked("asset_denied", deniedBecause(decision), "See why the asset may not be used.");
    },
    identity: async () => {
      const { connectorInstanceId } = this.body;
      const { rows } = await this.ctx.db.find(accessIdentities, { where: { assetId: this.assetId }, size: 100 });
      const own = rows.filter(({ value }) => !connectorInstanceId || value.connectorInstanceId === connectorInstanceId);
      if (own.length > 0) return "It acts as somebody there.";
      return blocked("no_identity", "The asset acts as nobody there.", "Declare what it acts as.");
    },
    assignment: () => this.#findAccess(),
    policy: () => this.#findMeaning(),
    token: async () => {
      if ((await liveTokens(this.ctx, this.assetId)) < MOST_TOKENS) return "A token could be issued.";
      return blocked("limit_exceeded", `It has ${MOST_TOKENS} live tokens.`, "End some, or wait until they expire.");
    },
    tool: () => this.#findTool(),
    constraints: () => this.#judge(),
    connector: async () => {
      const instance = await this.ctx.getOrThrow(instances, this.#target);
      if (instance.status !== "active")
        return blocked("connector_inactive", `The connection is ${instance.status}.`, "Activate it.");
      if (instance.health !== "misconfigured") return `The connection is in use and ${instance.health}.`;
      return new Stop("fail", "misconfigured", "The connection is misconfigured.", "Correct its configuration.");
    },
    target: () => this.#reach(),
  };

  get #target(): string {
    return (this.#backing ?? this.#access[0])?.connectorInstanceId as string;
  }

  async #findAccess(): Promise<Found> {
    const { connectorInstanceId, accessProfileId } = this.body;
    const found = await this.ctx.db.find(accessAssignments, { where: { liveFor: this.assetId }, size: MOST });
    const fitting = found.rows
      .map((row) => this.ctx.derived(accessAssignments, row))
      .filter((one) => connectorInstanceId === undefined || one.connectorInstanceId === connectorInstanceId)
      .filter((one) => accessProfileId === undefined || one.accessProfileId === accessProfileId);
    const circumstances = circumstancesOf(this.ctx);
    const reasons = new Set<string>();
    for (const one of fitting) {
      const because = ineffectiveBecause(one, await circumstances(one));
      if (because.length === 0) this.#access.push(one);
      for (const reason of because) reasons.add(reason);
    }
    if (this.#access.length > 0) return `${this.#access.length} of its access fits and is in force.`;
    const why = reasons.size > 0 ? `Not in force: ${[...reasons].join(", ")}.` : "It has no such access.";
    return blocked("assignment_inactive", why, "Ask for access.");
  }

  async #findMeaning(): Promise<Found> {
    const same: AccessAssignment[] = [];
    for (const one of this.#access) {
      const profile = (await this.ctx.db.get(accessProfiles, one.accessProfileId))?.value;
      const manifest = await this.#manifestOf(one.connectorInstanceId);
      if (profile && manifest && meansTheSame(one, profile, manifest)) same.push(one);
    }
    this.#access = same;
    if (same.length > 0) return "It means what was decided.";
    return blocked(
      "tool_definition_changed",
      "The access means something else than when it was decided.",
      "Have its profile approved as it is, and ask for access again.",
    );
  }

  async #manifestOf(id: string) {
    const instance = (await this.ctx.db.get(instances, id))?.value;
    return instance && this.ctx.env.connectors.get(instance.providerKey)?.manifest;
  }

  async #findTool(): Promise<Found> {
    const { tool } = this.body;
    if (tool === undefined) return { skipped: true, reported: { message: "No tool was named." } };
    for (const one of this.#access) {
      const manifest = await this.#manifestOf(one.connectorInstanceId);
      this.#spec ??=
        manifest && toolsOf({ externalId: one.profileExternalId }, manifest).find(({ name }) => name === tool);
    }
    if (this.#spec) return "The access opens it.";
    return blocked("tool_not_allowed", "No access in force opens this tool.", "Ask for access that opens it.");
  }

  async #judge(): Promise<Found> {
    const spec = this.#spec;
    if (!spec) return { skipped: true, reported: { message: "No tool was named." } };
    const { arguments: args = {} } = this.body;
    const opening = this.#access.filter((one) => spec.requiresProfiles.includes(one.profileExternalId));
    const connectorInstanceId = opening[0]?.connectorInstanceId as string;
    const judged = await judge(this.ctx, {
      ...{ assetId: this.assetId, connectorInstanceId, assignmentIds: opening.map(({ id }) => id) },
      ...{ tools: [{ name: spec.name, schemaHash: toolHash(spec) }], constraints: NO_CONSTRAINTS, sessionId: null },
      ...{ tool: spec.name, args },
    });
    if ("code" in judged) return blocked(judged.code, judged.message, "Change the arguments, or the access.");
    [this.#backing] = judged.backing;
    return "The arguments are within what is permitted.";
  }

  async #reach(): Promise<Found> {
    const { tool, arguments: args = {}, execute = false } = this.body;
    const { ctx } = this;
    const began = ctx.env.clock.now();
    if (execute && tool !== undefined && this.#spec && this.#backing) {
      if (this.#spec.effect !== "read")
        return blocked("tool_writes", "A test runs only tools that read.", "Leave `execute` out.");
      const done = await callTool(ctx, {
        ...{ connectorInstanceId: this.#target, useId: ctx.request.requestId, tool, args, dryRun: false, reads: true },
        ...{ idempotencyKey: ctx.request.requestId, grants: [grantOf(this.#backing)] },
      });
      this.changed = done.changed;
      const { error } = done.outcome;
      if (error) return new Stop("fail", error.code, error.message, "See what the target says.", done.latencyMs);
      return { skipped: false, reported: { message: "The tool ran.", latencyMs: done.latencyMs } };
    }
    const { tenantId } = ctx.principal;
    const facts = { correlationId: ctx.request.requestId, idempotencyKey: ctx.request.requestId } as const;
    const call = { tenantId, instanceId: this.#target, capability: "test", ...facts } as const;
    try {
      const { checks } = await ctx.env.use(connectorCalls).call(call, (on, to) => on.testConnection(to));
      const latencyMs = ctx.env.clock.now() - began;
      const failed = checks.find(({ status }) => status === "fail");
      if (!failed) return { skipped: false, reported: { message: "The target answers.", latencyMs } };
      return new Stop("fail", "target_failed", "A test of the connection fails.", "Run its diagnostics.", latencyMs);
    } catch (error) {
      if (!ConnectorError.is(error)) throw error;
      return new Stop("fail", error.errorClass, error.message, "Run the diagnostics of the connection.");
    }
  }

  /** What is stored of the test; `undefined` where no access was found. */
  useOf(verdict: RuntimeTest["verdict"], steps: readonly Step[]): UseDraft | undefined {
    const access = this.#backing ?? this.#access[0];
    const { ctx } = this;
    const { tool = "(none)", arguments: args = {} } = this.body;
    if (!access) return undefined;
    const { kind, userId } = ctx.principal;
    const { connectorInstanceId } = access;
    const caller = {
      id: null,
      assetId: this.assetId,
      sessionId: null,
      issuedBy: { kind, id: userId },
      connectorInstanceId,
    };
    const denyCode = steps.find(({ status }) => status === "fail")?.code;
    const outcome = verdict === "pass" ? "success" : verdict === "fail" ? "error" : "denied";
    return useOf(ctx, caller, {
      ...{ tool, args, outcome, access, synthetic: true, source: "runtime_test" },
      ...(denyCode === undefined ? {} : { denyCode }),
    });
  }
}
