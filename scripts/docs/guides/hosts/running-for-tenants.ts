import { newAcme } from "../acme.js";

const acme = await newAcme();
const root = { username: "root@provider.example", password: "four blue kettles at dawn" };
await acme.controlPlane.ensureProviderAdmin(root);
const { data: signedIn } = await acme.nobody.POST("/api/v1/auth/signin", { body: root });
const { data: me } = await acme.as(signedIn.token).GET("/api/v1/support/me");

export const controlPlane = acme.controlPlane;
export const providerTenantId = me.tenant.id;
export const adminUserId = signedIn.user.id;
export const env = { ...acme.env, TOKEN: signedIn.token };
export const placeholders = [["tnt_01JD3Z6T5W8Y9X7V4R2Q1P0N6M", acme.tenantId]] as const;
