import { Scene } from "@reeve/testkit";
import { newAcme } from "../acme.js";

const acme = await newAcme();
const scene = new Scene(acme.send, acme.store, acme.clock, acme.tenantId, "guide", acme.mailbox);
const { data: asset } = await acme.owner.client.POST("/api/v1/ai-assets", { body: { name: "Support agent" } });
await scene.newFinding(asset.id, { severity: "critical" });
const params = { path: { key: "foundation" } };
await acme.owner.client.POST("/api/v1/ai-governance/policy-packs/{key}/install", { params });

export const env = { ...acme.env, ANOTHER_PERSONS_TOKEN: acme.officer.token };
