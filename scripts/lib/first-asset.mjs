/**
 * What a host does first: a control plane over the memory store, and its first asset.
 * @param {typeof import("@reeve/core")} core
 */
export async function openFirstAsset({ createControlPlane, createMemoryStore }) {
  let tenantId = "";
  const controlPlane = createControlPlane({
    store: createMemoryStore(),
    masterKey: Buffer.from("q83vEjRWeJq83vASNFZ4mrze8BI0VniavN7wEjRWeJo=", "base64"),
    baseUrl: "http://127.0.0.1:4000",
    authenticate: () => ({ tenantId, userId: "ada", username: "ada@acme.example", roles: ["owner"] }),
  });
  await controlPlane.ready();
  return {
    async register() {
      tenantId = (await controlPlane.ensureTenant({ externalId: "acme", name: "Acme Ltd" })).tenantId;
      const response = await controlPlane.fetch(
        new Request("http://127.0.0.1:4000/api/v1/ai-assets", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ name: "Support helper", assetType: "agent" }),
        }),
      );
      if (response?.status !== 201) throw new Error(`the first asset is answered with ${await response?.text()}`);
    },
    close: () => controlPlane.close(),
  };
}
