import { newAcme } from "../acme.js";
import { blocksOf } from "../blocks.js";

const acme = await newAcme();
export const controlPlane = acme.controlPlane;
export const tenantId = acme.tenantId;
export const userId = acme.owner.userId;

const shared = { provider: "cmdb", environment: "production" } as const;
const page = blocksOf("docs/guides/bulk.md");
/** The item that the page shows, and what it refers to. */
export const items = [
  { ...shared, name: "Mini", assetType: "model", externalRef: { id: "CI-0815" }, record: { modelId: "gpt-5-mini" } },
  { ...shared, name: "Claims identity", assetType: "identity", externalRef: { id: "CI-0816" }, ref: "claims-identity" },
  JSON.parse(page.find(({ language }) => language === "json")?.text ?? ""),
];

const { data: registered } = await acme.owner.client.POST("/api/v1/ai-assets", { body: { name: "Claims triage" } });
export const ids = [registered.id];
