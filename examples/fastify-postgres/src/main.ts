import { createApp } from "./app.js";

const port = Number(process.env.PORT ?? 3000);
const baseUrl = `http://127.0.0.1:${port}`;
const app = await createApp({
  databaseUrl: process.env.DATABASE_URL ?? "postgres://postgres@127.0.0.1:5432/app",
  masterKey: process.env.REEVE_MASTER_KEY,
  baseUrl,
});
await app.listen({ host: "127.0.0.1", port });
process.stdout.write(`listening on ${baseUrl}\n`);
process.once("SIGTERM", () => void app.close());
