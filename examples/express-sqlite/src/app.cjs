const { reeve } = require("@reeve/adapter-express");
const { createControlPlane } = require("@reeve/core");
const { createSqliteStore } = require("@reeve/store-sqlite");
const express = require("express");

/** @param {{ file: string, masterKey: string, baseUrl: string }} settings */
function createApp({ file, masterKey, baseUrl }) {
  const app = express();

  // Before the body parser, so that Reeve reads the body itself.
  const controlPlane = createControlPlane({
    store: createSqliteStore({ file }),
    masterKey,
    baseUrl: `${baseUrl}/governance`,
    registration: "open",
  });
  app.use("/governance", reeve(controlPlane));

  // The application as it was before.
  app.use(express.json());
  app.get("/orders/:id", (request, response) => void response.json({ order: request.params.id }));
  app.post("/orders", (request, response) => void response.status(201).json(request.body));

  // Without it Express answers with the stack of the error.
  app.use(failed);

  return { app, controlPlane };
}

/** @type {import("express").ErrorRequestHandler} */
const failed = (error, _request, response, next) => {
  if (response.headersSent) next(error);
  else response.status(error.status ?? 500).end();
};

module.exports = { createApp };
