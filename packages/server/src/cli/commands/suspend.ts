import type { ExitCode, Invocation } from "../command.js";
import { assetOf } from "../remote/find-asset.js";
import { type RemoteOptions, withServer } from "../remote/server.js";

/** Suspends an asset. The sessions of an agent are suspended with it. */
export async function suspend(
  invocation: Invocation,
  word: string,
  { reason, ...options }: RemoteOptions & { reason?: string },
): Promise<ExitCode> {
  await withServer(invocation, options, async ({ client }) => {
    const { id } = await assetOf(client, word);
    const { data } = await client.PATCH("/api/v1/ai-assets/{id}/governance-state", {
      params: { path: { id } },
      body: { status: "suspended", ...(reason === undefined ? {} : { reason }) },
    });
    invocation.output.result(data, `"${data.name}" (${id}) is suspended`);
  });
  return 0;
}
