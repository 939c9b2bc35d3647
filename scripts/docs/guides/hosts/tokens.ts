import { newAcme } from "../acme.js";

const acme = await newAcme();
const { data: identity } = await acme.owner.client.POST("/api/v1/ai/identities", {
  body: { name: "Ticket triage", kind: "workload", scopes: ["ai-asset:read"] },
});
const params = { path: { id: identity.id } };
const { data: issued } = await acme.owner.client.POST("/api/v1/ai/identities/{id}/credentials", { params });
export const env = {
  ...acme.env,
  REFRESH_TOKEN: acme.owner.refreshToken,
  CLIENT_ID: issued.clientId,
  CLIENT_SECRET: issued.clientSecret ?? "",
};
