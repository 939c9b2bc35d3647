const number = new Intl.NumberFormat("en");

/** What is registered, and everything about it. */
export const estate = {
  title: "Estate",
  list: "Assets",
  search: "Search by name",
  environment: "Environment",
  columns: {
    ...{ name: "Name", type: "Type", team: "Team", owner: "Owner" },
    ...{ governance: "Governance", lifecycle: "Lifecycle", risk: "Risk" },
  },
  empty: { title: "No asset fits", detail: "Take a filter away, or register what is missing." },
  types: {
    ...{ agent: "agent", tool: "tool", model: "model", identity: "identity", mcp_server: "MCP server" },
    ...{ dataset: "dataset", prompt: "prompt", application: "application", other: "other" },
  },
  governance: {
    ...{ unreviewed: "unreviewed", under_review: "under review", approved: "approved" },
    ...{ conditionally_approved: "approved under conditions", rejected: "rejected", suspended: "suspended" },
    expired: "expired",
  },
  lifecycle: {
    ...{ registered: "registered", discovered: "discovered", development: "development", validation: "validation" },
    ...{ production: "production", deprecated: "deprecated", retired: "retired" },
  },
  environments: {
    ...{ development: "development", test: "test", staging: "staging", production: "production", unknown: "unknown" },
  },
  risks: {
    ...{ minimal: "minimal risk", limited: "limited risk", high: "high risk", prohibited: "prohibited" },
    unclassified: "not classified",
  },
  classifications: {
    ...{ public: "public", internal: "internal", confidential: "confidential", restricted: "restricted" },
    unknown: "unknown",
  },
  severities: { critical: "critical", high: "high", medium: "medium", low: "low", info: "info" },
  decisions: { allow: "May be used", warn: "May be used, with a warning", deny: "May not be used" },
  usable: "Whether it may be used",
  asOf: "as of",
  parts: "Parts of this page",
  tabs: {
    ...{ overview: "Overview", relations: "Relations", findings: "Findings" },
    ...{ access: "Access", sessions: "Sessions", activity: "Activity" },
  },
  toServer: "What this MCP server offers",
  facts: {
    ...{ description: "Description", owner: "Owner", sponsor: "Sponsor", team: "Team", environment: "Environment" },
    ...{ provider: "Provider", purpose: "Purpose", data: "Data", findings: "Open findings", changed: "Changed" },
    ...{ findingsAsOf: "Findings as of", approvedUntil: "Approved until", lastMove: "Reason of the governance state" },
    version: "Version",
  },
  openFindings: (count: number, severity: string) => `${number.format(count)} ${severity}`,
  relations: {
    ...{ uses: "uses", exposes: "exposes", runs_as: "runs as", hosted_on: "is hosted on" },
    ...{ derived_from: "is derived from", delegates_to: "delegates to" },
  },
  noReason: "no reason was given",
  noRelations: "It uses nothing, and nothing uses it",
  graphOf: (name: string) => `What ${name} uses, and what uses it. The table below says the same.`,
  graphCut: "There is more than is shown here.",
  relationTable: "Relations",
  views: "How the estate is shown",
  asList: "List",
  asGraph: "Graph",
  graphTitle: "Estate as a graph",
  map: "Assets by type, and what leads from one to another",
  mapOf: "Each asset is a link to its page. The tables below say the same.",
  stopped: "stopped",
  state: "State",
  elsewhere: "Relations with others",
  elsewhereMany: "more than are counted",
  findingCount: (count: number) => number.format(count),
  noEdges: "No relation leads from one of these to another",
  graphPart: (shown: number, total: number, isExact: boolean) =>
    `The newest ${number.format(shown)} of ${isExact ? "" : "at least "}${number.format(total)} assets are shown. Filters narrow them down.`,
  relationsPart: "Some assets have more relations than are read, so that some are not shown.",
  from: "From",
  relation: "Relation",
  to: "To",
  lists: {
    ...{ findings: "Findings", message: "Finding", severity: "Severity", status: "State", since: "Since", due: "Due" },
    ...{ noFindings: "No policy has found anything", access: "Access", noAccess: "It has no access to other systems" },
    ...{ name: "To", as: "As", there: "In the system", ends: "Ends", noRight: "You may not see access" },
    ...{ sessions: "Sessions", purpose: "What for", forWhom: "For whom", noSessions: "It has not run" },
  },
  findingStates: {
    ...{ open: "open", acknowledged: "acknowledged", in_progress: "in progress", fix_claimed: "said to be fixed" },
    ...{ exempted: "exempted", dismissed: "dismissed", resolved: "resolved", closed: "closed" },
  },
  accessStates: {
    ...{ pending: "pending", active: "active", revoking: "being revoked", revoke_failed: "could not be revoked" },
    ...{ attested: "attested", revoked: "revoked", expired: "expired", orphaned: "orphaned", failed: "failed" },
  },
  targetStates: { present: "present", absent: "absent", mismatch: "differs", unknown: "unknown" },
  acts: {
    ...{ review: "Request review", suspend: "Suspend", lifecycle: "Change lifecycle" },
    ...{ reason: "Reason", target: "New lifecycle" },
    titles: {
      review: (name: string) => `Request a review of ${name}?`,
      suspend: (name: string) => `Suspend ${name}?`,
      lifecycle: (name: string) => `Change the lifecycle of ${name}`,
    },
    does: {
      review: "Somebody who has no part in it decides. Until then it is under review.",
      suspend: "It may not be used from this moment on, nor what depends on it, until somebody reinstates it.",
      lifecycle: "Some moves have conditions. What is not met is said here.",
    },
  },
  server: {
    ...{ address: "Address", probed: "Last asked", answered: "Last answered", tools: "Tools", toAsset: "The asset" },
    ...{ drift: "What differs from what was approved", fetched: "seen", what: "What", change: "Change" },
    ...{ severity: "Severity", before: "Approved", after: "Now", noDrift: "Nothing differs." },
    connections: {
      ...{ unknown: "not asked yet", reachable: "reachable", degraded: "degraded", unreachable: "unreachable" },
      ...{ auth_required: "wants to be signed in to", misconfigured: "misconfigured", disabled: "disabled" },
    },
    manifests: { in_sync: "as approved", drifted: "differs from what was approved", unapproved: "never approved" },
    kinds: { tool: "tool", prompt: "prompt", resource_template: "resource template", instructions: "instructions" },
    changes: { added: "new", removed: "gone", changed: "changed", renamed: "renamed" },
    circumstances: {
      ...{ server_version: "Version of the server", client_name: "Name that Reeve gives", environment: "Environment" },
      ...{ client_capabilities: "Capabilities that Reeve gives", arguments: "Arguments", folder: "Folder" },
    },
    turned: (before: string, after: string) => `${before} → ${after}`,
    counts: (count: Readonly<Record<"approved" | "pending_review" | "changed" | "blocked" | "removed", number>>) =>
      `${count.approved} approved, ${count.pending_review} waiting, ${count.changed} changed, ${count.blocked} blocked`,
    approve: "Approve what it offers now",
    approveTitle: (name: string) => `Approve what ${name} offers now?`,
    approves: (digest: string) => `You approve exactly what is shown, with the digest ${digest}…`,
    noRight: "You may not approve tools.",
  },
};
