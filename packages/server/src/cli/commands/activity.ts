import { Failure } from "../../failure.js";
import type { ExitCode, Invocation } from "../command.js";
import { assetOf, isId } from "../remote/find-asset.js";
import { type RemoteOptions, withServer } from "../remote/server.js";
import { printList, sizeFor, valuesOf } from "../view/listing.js";

interface Options extends RemoteOptions {
  readonly limit: number;
  readonly from?: string;
  readonly to?: string;
  readonly type?: string;
  readonly severity?: string;
}

/** Lists events, of one record with what belongs to it or of the tenant, newest first. */
export function activity(invocation: Invocation, subject: string | undefined, options: Options): Promise<ExitCode> {
  const { limit, from, to, type, severity } = options;
  const query = {
    ...{ size: sizeFor(limit), from: timeOf("--from", from), to: timeOf("--to", to) },
    ...{ type: valuesOf(type), severity: valuesOf(severity) },
  } as never;
  return withServer(invocation, options, async ({ client }) => {
    const pages =
      subject === undefined
        ? client.pages("/api/v1/ai/activity", { params: { query } })
        : client.pages("/api/v1/ai/activity/{subjectId}", {
            params: { path: { subjectId: isId(subject) ? subject : (await assetOf(client, subject)).id }, query },
          });
    return printList(invocation, pages, {
      limit,
      what: "events",
      columns: [
        { title: "time", of: ({ time }) => time, whole: true },
        { title: "severity", of: ({ severitytext }) => severitytext },
        { title: "type", of: (event) => event.type },
        { title: "outcome", of: ({ outcome }) => outcome },
        { title: "subject", of: (event) => event.subject, whole: true },
        { title: "by", of: ({ authid }) => authid },
        { title: "change", of: ({ fromstate, tostate }) => tostate && `${fromstate ?? ""} → ${tostate}` },
      ],
    });
  });
}

/** The time of an option as the API takes it. A date is its first moment in UTC. */
function timeOf(option: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{4}-\d\d-\d\d(T.+)?$/.test(text) || Number.isNaN(Date.parse(text)))
    throw new Failure(`${option} takes a time, as 2026-03-01 or 2026-03-01T09:00:00Z`);
  return new Date(text).toISOString();
}
