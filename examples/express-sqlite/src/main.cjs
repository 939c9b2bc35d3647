const { createApp } = require("./app.cjs");

const port = Number(process.env.PORT ?? 3000);
const baseUrl = `http://127.0.0.1:${port}`;
const { app, controlPlane } = createApp({
  file: process.env.DATABASE_FILE ?? "./data/app.sqlite",
  masterKey: process.env.REEVE_MASTER_KEY ?? "",
  baseUrl,
});

// Does expiries and deliveries. An application with a scheduler calls `tick` there.
controlPlane.start();

const server = app.listen(port, "127.0.0.1", () => process.stdout.write(`listening on ${baseUrl}\n`));

process.once("SIGTERM", () => {
  server.close();
  void controlPlane.close().then(() => server.closeAllConnections());
});
