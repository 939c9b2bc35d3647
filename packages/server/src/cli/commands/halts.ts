import type { ExitCode, Invocation } from "../command.js";
import { type RemoteOptions, withServer } from "../remote/server.js";
import { printList, sizeFor } from "../view/listing.js";

/** Lists halts that are in force. */
export function halts(
  invocation: Invocation,
  { all = false, limit, ...options }: RemoteOptions & { all?: boolean; limit: number },
): Promise<ExitCode> {
  const query = { size: sizeFor(limit), ...(all ? {} : { status: ["active" as const] }) };
  return withServer(invocation, options, ({ client }) =>
    printList(invocation, client.pages("/api/v1/ai/halts", { params: { query } }), {
      limit,
      what: "halts",
      columns: [
        { title: "id", of: ({ id }) => id, whole: true },
        { title: "scope", of: ({ scope }) => scope },
        { title: "target", of: ({ target }) => target },
        { title: "status", of: ({ status }) => status },
        { title: "since", of: ({ createdAt }) => createdAt, whole: true },
        { title: "by", of: ({ createdBy }) => createdBy, whole: true },
        { title: "reason", of: ({ reason }) => reason },
      ],
    }),
  );
}
