import type { ExitCode, Invocation } from "../command.js";
import { assetOf } from "../remote/find-asset.js";
import { type RemoteOptions, withServer } from "../remote/server.js";
import { printList, sizeFor, valuesOf } from "../view/listing.js";

interface Options extends RemoteOptions {
  readonly limit: number;
  readonly mine?: boolean;
  readonly kind?: string;
  readonly status?: string;
  readonly asset?: string;
}

/** Lists what waits for a decision, the most urgent first. */
export function reviews(invocation: Invocation, options: Options): Promise<ExitCode> {
  const { limit, mine = false, kind, status, asset } = options;
  return withServer(invocation, options, async ({ client }) => {
    const query = {
      ...{ size: sizeFor(limit), sort: ["dueAt"], kind: valuesOf(kind), status: valuesOf(status) },
      ...{ mine: mine ? "true" : undefined },
      assetId: asset === undefined ? undefined : [(await assetOf(client, asset)).id],
    };
    return printList(invocation, client.pages("/api/v1/reviews", { params: { query: query as never } }), {
      limit,
      what: "reviews",
      columns: [
        { title: "id", of: ({ id }) => id, whole: true },
        { title: "kind", of: (review) => review.kind },
        { title: "about", of: ({ name }) => name },
        { title: "status", of: (review) => review.status },
        { title: "asked by", of: ({ requestedBy }) => requestedBy, whole: true },
        { title: "due", of: ({ dueAt }) => dueAt?.slice(0, 10), whole: true },
      ],
    });
  });
}
