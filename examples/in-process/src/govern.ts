import { type ControlPlane, ReeveError } from "@reeve/core";

/**
 * Registers an agent and tries to release it without approval. Calls have the checks, transactions and events of
 * requests. Their inputs and results are typed by the operation's id.
 */
export async function govern(
  controlPlane: ControlPlane,
): Promise<{ agent: string; refusal: string; events: string[] }> {
  const { tenantId, userId } = await controlPlane.call("registration.register", undefined, {
    body: { organization: "Acme", username: "ada@acme.example", password: "violet tram at noon" },
  });
  const ada = await controlPlane.principalOf(tenantId, userId);

  const agent = await controlPlane.call("aiAssets.create", ada, {
    body: { name: "Support agent", assetType: "agent", status: "validation" },
  });
  const refusal = await controlPlane
    .call("aiAssets.changeLifecycle", ada, { params: { id: agent.id }, body: { status: "production" } })
    .then(
      () => "none",
      (error: unknown) => (ReeveError.is(error) ? error.code : Promise.reject(error)),
    );

  const { items } = await controlPlane.call("aiActivity.list", ada);
  return { agent: `${agent.name} is in ${agent.status}`, refusal, events: items.map((event) => event.type) };
}
