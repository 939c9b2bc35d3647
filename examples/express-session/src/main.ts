import { randomBytes } from "node:crypto";
import { createApp } from "./app.js";

const port = Number(process.env.PORT ?? 3000);
const baseUrl = `http://127.0.0.1:${port}`;
const { app, controlPlane } = await createApp({
  employees: [
    { id: "e-1", email: "ada@acme.example", password: "seven green lanterns", role: "operator" },
    { id: "e-2", email: "joan@acme.example", password: "four blue kettles", role: "auditor" },
  ],
  baseUrl,
  masterKey: process.env.REEVE_MASTER_KEY ?? randomBytes(32).toString("base64"),
  sessionSecret: randomBytes(32).toString("base64"),
});
const server = app.listen(port, "127.0.0.1", () => process.stdout.write(`listening on ${baseUrl}\n`));

process.once("SIGTERM", () => {
  server.close();
  void controlPlane.close().then(() => server.closeAllConnections());
});
