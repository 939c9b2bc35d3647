import type { ExitCode, Invocation } from "../command.js";
import { assetOf } from "../remote/find-asset.js";
import { type RemoteOptions, withServer } from "../remote/server.js";
import { printList, sizeFor, valuesOf } from "../view/listing.js";

interface Options extends RemoteOptions {
  readonly limit: number;
  readonly status: string;
  readonly severity?: string;
  readonly asset?: string;
  readonly policy?: string;
  readonly overdue?: boolean;
}

/** Lists findings, the gravest first. */
export function findings(invocation: Invocation, options: Options): Promise<ExitCode> {
  const { limit, status, severity, asset, policy, overdue } = options;
  return withServer(invocation, options, async ({ client }) => {
    const query = {
      ...{ size: sizeFor(limit), sort: ["-severity"], status: valuesOf(status), severity: valuesOf(severity) },
      ...{ policyId: valuesOf(policy), assetId: asset === undefined ? undefined : [(await assetOf(client, asset)).id] },
      slaBreached: overdue ? "true" : undefined,
    };
    const pages = client.pages("/api/v1/ai-governance/findings", { params: { query: query as never } });
    return printList(invocation, pages, {
      limit,
      what: "findings",
      columns: [
        { title: "id", of: ({ id }) => id, whole: true },
        { title: "severity", of: ({ effectiveSeverity }) => effectiveSeverity },
        { title: "status", of: (finding) => finding.status },
        { title: "asset", of: ({ assetName }) => assetName },
        { title: "policy", of: ({ policyKey }) => policyKey },
        { title: "message", of: ({ message, title }) => message || title },
        { title: "due", of: ({ dueAt }) => dueAt?.slice(0, 10), whole: true },
      ],
    });
  });
}
