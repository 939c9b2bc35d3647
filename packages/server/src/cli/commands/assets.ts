import type { ExitCode, Invocation } from "../command.js";
import { type RemoteOptions, withServer } from "../remote/server.js";
import { printList, sizeFor, valuesOf } from "../view/listing.js";

interface Options extends RemoteOptions {
  readonly limit: number;
  readonly search?: string;
  readonly type?: string;
  readonly environment?: string;
  readonly governance?: string;
  readonly lifecycle?: string;
  readonly risk?: string;
  readonly owner?: string;
  readonly team?: string;
  readonly label?: string;
  readonly sort?: string;
}

/** Lists AI assets. */
export function assets(invocation: Invocation, options: Options): Promise<ExitCode> {
  const { limit, search, sort = "name" } = options;
  const query = {
    ...{ size: sizeFor(limit), search, sort: valuesOf(sort) },
    ...{ assetType: valuesOf(options.type), environment: valuesOf(options.environment) },
    ...{ governanceState: valuesOf(options.governance), status: valuesOf(options.lifecycle) },
    ...{ riskTier: valuesOf(options.risk), owner: valuesOf(options.owner) },
    ...{ team: valuesOf(options.team), label: valuesOf(options.label) },
  };
  return withServer(invocation, options, ({ client }) =>
    printList(invocation, client.pages("/api/v1/ai-assets", { params: { query: query as never } }), {
      limit,
      what: "assets",
      columns: [
        { title: "id", of: ({ id }) => id, whole: true },
        { title: "name", of: ({ name }) => name },
        { title: "type", of: ({ assetType }) => assetType },
        { title: "environment", of: ({ environment }) => environment },
        { title: "lifecycle", of: ({ status }) => status },
        { title: "governance", of: ({ governanceState }) => governanceState },
        { title: "risk", of: ({ riskTier }) => riskTier },
        { title: "owner", of: ({ owner }) => owner?.name ?? owner?.id },
      ],
    }),
  );
}
