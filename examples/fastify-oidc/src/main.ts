import { randomBytes } from "node:crypto";
import { createApp } from "./app.js";

const port = Number(process.env.PORT ?? 3000);
const baseUrl = `http://127.0.0.1:${port}`;
const app = await createApp({
  issuer: process.env.OIDC_ISSUER ?? "https://login.acme.example",
  audience: process.env.OIDC_AUDIENCE ?? baseUrl,
  baseUrl,
  masterKey: process.env.REEVE_MASTER_KEY ?? randomBytes(32).toString("base64"),
});
await app.listen({ host: "127.0.0.1", port });
process.stdout.write(`listening on ${baseUrl}\n`);
process.once("SIGTERM", () => void app.close());
