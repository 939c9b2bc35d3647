import type { ExitCode, Invocation } from "../command.js";
import { type RemoteOptions, withServer } from "../remote/server.js";
import { factsOf } from "../view/table.js";

/** Says who asks, of which tenant, with which roles, and how much waits. */
export async function whoami(invocation: Invocation, options: RemoteOptions): Promise<ExitCode> {
  await withServer(invocation, options, async ({ client, address, profile }) => {
    const { data: me } = await client.GET("/api/v1/me");
    const facts = {
      ...{ user: `${me.username} (${me.id})`, name: me.name, tenant: `${me.tenant?.name} (${me.tenant?.id})` },
      ...{ roles: me.roles.join(", "), server: address, profile },
      waiting: me.reviews && `${me.reviews.waiting.count} reviews, ${me.reviews.overdue.count} of them overdue`,
    };
    invocation.output.lines({ ...me, server: address, profile: profile ?? null }, factsOf(facts));
  });
  return 0;
}
