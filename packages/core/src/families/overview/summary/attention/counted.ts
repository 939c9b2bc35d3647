import { flaggedDecisions } from "#families/accountability/index.js";
import { assets, halts, identities, mcpServers, tools } from "#families/estate/index.js";
import { baselineCount, OPEN_STATUSES, openBesideBaseline } from "#families/findings/index.js";
import { decisionApprovals, evaluationRuns, exemptions, policies } from "#families/governance/index.js";
import { sessions } from "#families/sessions/index.js";
import { type Numbers, numbersOf, sumOf } from "#kernel/operation/numbers.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { AttentionItem, Source } from "./item.js";

/** The one item shown for all records in one state. */
interface Wording {
  readonly state: string;
  readonly kind: string;
  readonly severity: AttentionItem["severity"];
  /** The text after the number, as in `3` + " assets are suspended". */
  readonly one: string;
  readonly many: string;
}

/** `list` is the path of the records without the state, which the link to each item ends with. */
function counted(
  permission: string,
  list: string,
  numbers: (ctx: ReadContext) => Promise<Numbers>,
  reported: readonly Wording[],
): Source {
  return {
    permission,
    async find(ctx) {
      const found = await numbers(ctx);
      return reported.flatMap(({ state, kind, severity, one, many }): AttentionItem[] => {
        const count = found[state] ?? 0;
        return count === 0
          ? []
          : [{ kind, severity, title: titled(count, one, many), count, href: `${list}${state}`, at: null }];
      });
    },
  };
}

const titled = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`);

/** Sessions whose termination is not confirmed, whatever their points have said. */
const unconfirmed: Source = {
  permission: "ai-session:read",
  async find(ctx) {
    const found = await numbersOf(ctx, sessions, "unconfirmed");
    const count = sumOf(found);
    if (count === 0) return [];
    const title = titled(
      count,
      "session was terminated, and not all enforcement points have confirmed it",
      "sessions were terminated, and not all enforcement points have confirmed it",
    );
    const href = `/api/v1/ai/sessions?unconfirmed=${Object.keys(found).join(",")}`;
    return [{ kind: "terminations_unconfirmed", severity: "critical", title, count, href, at: null }];
  },
};

const say = (state: string, kind: string, severity: Wording["severity"], one: string, many: string): Wording => ({
  state,
  kind,
  severity,
  one,
  many,
});

/** States that need attention, counted by records. A new one is one line here. */
export const countedSources: readonly Source[] = [
  counted("ai-halt:read", "/api/v1/ai/halts?status=", (ctx) => numbersOf(ctx, halts, "status"), [
    say("active", "halts_active", "critical", "halt is active", "halts are active"),
  ]),
  counted("ai-asset:read", "/api/v1/ai-assets?governanceState=", (ctx) => numbersOf(ctx, assets, "governanceState"), [
    say("suspended", "assets_suspended", "high", "asset is suspended", "assets are suspended"),
    say("expired", "approvals_expired", "high", "approval has run out", "approvals have run out"),
    say("under_review", "assets_under_review", "low", "asset waits for a decision", "assets wait for a decision"),
  ]),
  counted("ai-asset:read", "/api/v1/ai-assets?status=", (ctx) => numbersOf(ctx, assets, "status"), [
    say(
      "discovered",
      "assets_unregistered",
      "medium",
      "discovered asset is not registered",
      "discovered assets are not registered",
    ),
  ]),
  counted("ai-tool:read", "/api/v1/ai/tools?status=", (ctx) => numbersOf(ctx, tools, "status"), [
    say(
      "changed",
      "tools_changed",
      "high",
      "tool says something else than was approved",
      "tools say something else than was approved",
    ),
    say("pending_review", "tools_pending", "low", "tool waits for approval", "tools wait for approval"),
  ]),
  counted("ai-identity:read", "/api/v1/ai/identities?status=", (ctx) => numbersOf(ctx, identities, "status"), [
    say("expired", "identities_expired", "medium", "identity has run out", "identities have run out"),
  ]),
  counted("mcp-server:read", "/api/v1/ai/mcp-servers?connection=", (ctx) => numbersOf(ctx, mcpServers, "connection"), [
    say("unreachable", "mcp_unreachable", "high", "MCP server does not answer", "MCP servers do not answer"),
    say(
      "auth_required",
      "mcp_auth_required",
      "medium",
      "MCP server wants other credentials",
      "MCP servers want other credentials",
    ),
    say(
      "misconfigured",
      "mcp_misconfigured",
      "medium",
      "MCP server cannot be asked as it is registered",
      "MCP servers cannot be asked as they are registered",
    ),
  ]),
  counted(
    "mcp-server:read",
    "/api/v1/ai/mcp-servers?manifestState=",
    (ctx) => numbersOf(ctx, mcpServers, "manifestState"),
    [
      say(
        "drifted",
        "mcp_drifted",
        "high",
        "MCP server offers something else than was approved",
        "MCP servers offer something else than was approved",
      ),
    ],
  ),
  counted(
    "ai-finding:read",
    `/api/v1/ai-governance/findings?status=${OPEN_STATUSES.join(",")}&baseline=false&severity=`,
    openBesideBaseline,
    [
      say("critical", "findings_critical", "critical", "critical finding is open", "critical findings are open"),
      say("high", "findings_high", "high", "finding of high severity is open", "findings of high severity are open"),
    ],
  ),
  counted(
    "ai-finding:read",
    "/api/v1/ai-governance/findings?baseline=",
    async (ctx) => ({ true: await baselineCount(ctx) }),
    [say("true", "findings_baseline", "low", "finding of the baseline is open", "findings of the baseline are open")],
  ),
  counted(
    "ai-policy:read",
    "/api/v1/ai-governance/policies?unmatched=",
    (ctx) => numbersOf(ctx, policies, "unmatched"),
    [
      say(
        "true",
        "policies_unmatched",
        "low",
        "policy matched nothing in three runs",
        "policies matched nothing in three runs",
      ),
    ],
  ),
  counted(
    "ai-exemption:read",
    "/api/v1/ai-governance/exemptions?status=",
    (ctx) => numbersOf(ctx, exemptions, "status"),
    [
      say(
        "requested",
        "exemptions_requested",
        "low",
        "exemption waits for a decision",
        "exemptions wait for a decision",
      ),
    ],
  ),
  counted(
    "ai-flagged-decision:read",
    "/api/v1/ai-governance/flagged-decisions?open=",
    (ctx) => numbersOf(ctx, flaggedDecisions, "open"),
    [
      say(
        "true",
        "decisions_by_related",
        "high",
        "decision was by somebody related to who asked",
        "decisions were by people related to who asked",
      ),
    ],
  ),
  counted(
    "ai-approval:read",
    "/api/v1/ai-governance/approvals?status=",
    (ctx) => numbersOf(ctx, decisionApprovals, "status"),
    [say("requested", "approvals_requested", "medium", "action waits for approval", "actions wait for approval")],
  ),
  counted(
    "ai-evaluation:read",
    "/api/v1/ai-governance/evaluations/runs?status=",
    (ctx) => numbersOf(ctx, evaluationRuns, "status"),
    [say("failed", "evaluations_failed", "medium", "evaluation run was given up", "evaluation runs were given up")],
  ),
  unconfirmed,
  counted("ai-session:read", "/api/v1/ai/sessions?status=", (ctx) => numbersOf(ctx, sessions, "status"), [
    say("terminating", "sessions_terminating", "high", "session is being terminated", "sessions are being terminated"),
    say("suspended", "sessions_suspended", "low", "session is suspended", "sessions are suspended"),
  ]),
];
