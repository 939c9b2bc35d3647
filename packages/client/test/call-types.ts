import { type Client, type components, createClient, type ItemOf, type ProblemError } from "../src/index.js";

// Only the type check reads this file: each line marked as an error must be one.

type AiAsset = components["schemas"]["AiAsset"];

export async function right(client: Client, error: ProblemError): Promise<unknown[]> {
  const { data: asset } = await client.POST("/api/v1/ai-assets", {
    body: { name: "Support agent", assetType: "agent", metadata: { whatever: 1 }, attributes: { costCentre: "12" } },
    idempotencyKey: "order-1",
  });
  const same: AiAsset = asset;
  const bare: AiAsset = (await client.POST("/api/v1/ai-assets")).data;
  const params = { path: { id: asset.id } };
  const changed = await client.PUT("/api/v1/ai-assets/{id}", { params, body: { riskTier: "high" }, ifMatch: asset });
  const gone: undefined = (await client.DELETE("/api/v1/ai-assets/{id}", { params, ifMatch: '"2"' })).data;
  const query = { assetType: ["agent" as const], size: 10, sort: ["-updatedAt" as const, "name" as const] };
  const found: ItemOf<"/api/v1/ai-assets">[] = [];
  for await (const item of client.items("/api/v1/ai-assets", { params: { query } })) found.push(item);
  for await (const page of client.pages("/api/v1/users")) found.push(...(page.items.length === 0 ? found : []));
  const exported: string = (await client.GET("/api/v1/ai-governance/audit/export")).data;
  const html: string = (await client.GET("/api/v1/ai/compliance/report", { parseAs: "text" })).data;
  const stream: ReadableStream = (await client.GET("/api/v1/ai-governance/audit/export", { parseAs: "stream" })).data;
  const unmet = error.guards.filter(({ ok }) => !ok).map(({ key }) => key);
  const isRefused: boolean = error.code === "self_approval_forbidden";
  return [same, bare, changed.data.version, gone, found, exported, html, stream, unmet, isRefused];
}

export async function wrong(client: Client, error: ProblemError): Promise<void> {
  // @ts-expect-error A misspelt field of a body.
  await client.POST("/api/v1/ai-assets", { body: { riskTeir: "high" } });
  // @ts-expect-error A misspelt field of a body made of parts.
  await client.POST("/api/v1/ai-governance/policies", { body: { name: "x", severty: "high" } });
  // @ts-expect-error A value that is none.
  await client.POST("/api/v1/ai-assets", { body: { assetType: "robot" } });
  // @ts-expect-error A body that has to be given.
  await client.POST("/api/v1/users");
  // @ts-expect-error A path that is none.
  await client.GET("/api/v1/ai-asset");
  // @ts-expect-error A path without this method.
  await client.DELETE("/api/v1/ai-assets");
  // @ts-expect-error The parameter of the path has to be given.
  await client.GET("/api/v1/ai-assets/{id}");
  // @ts-expect-error A misspelt parameter of the path.
  await client.GET("/api/v1/ai-assets/{id}", { params: { path: { ID: "ast_1" } } });
  // @ts-expect-error A misspelt filter.
  await client.GET("/api/v1/ai-assets", { params: { query: { assetTypes: ["agent"] } } });
  // @ts-expect-error A value that no record has.
  await client.GET("/api/v1/ai-assets", { params: { query: { assetType: ["robot"] } } });
  // @ts-expect-error A misspelt setting of a call.
  await client.GET("/api/v1/ai-assets", { parms: {} });
  // @ts-expect-error A list has no version.
  await client.GET("/api/v1/ai-assets", { ifMatch: "1" });
  // @ts-expect-error Reads are not done once.
  await client.GET("/api/v1/ai-assets", { idempotencyKey: "1" });
  // @ts-expect-error One record is no list.
  client.items("/api/v1/ai-assets/{id}", { params: { path: { id: "ast_1" } } });
  // @ts-expect-error A misspelt filter of a walk.
  client.pages("/api/v1/ai-assets", { params: { query: { assetTypes: ["agent"] } } });
  // @ts-expect-error A field that the answer has not.
  (await client.POST("/api/v1/ai-assets")).data.riskTeir;
  // @ts-expect-error A code that is none.
  error.code === "self_aproval_forbidden";
  // @ts-expect-error A misspelt option.
  createClient({ baseUrl: "https://reeve.example", tokn: "x" });
}

/** The operations whose body takes any name at all. */
type Open = {
  [Path in keyof Paths]: {
    [M in keyof Paths[Path]]: Paths[Path][M] extends { requestBody?: { content: { "application/json": infer Body } } }
      ? string extends keyof Body
        ? Path
        : never
      : never;
  }[keyof Paths[Path]];
}[keyof Paths];
type Paths = import("../src/index.js").paths;
export const noBodyIsOpen: [Open] extends [never] ? true : Open = true;
