import { reeveListener } from "@reeve/adapter-http";
import { describeHttpContract } from "@reeve/testkit";
import express from "express";
import { reeve } from "../src/index.js";
import { listen, withNotFound } from "./servers.js";

describeHttpContract({
  name: "Express",
  start: ({ controlPlane, prefix }) => {
    const app = express();
    if (prefix === "") app.use(reeve(controlPlane, { exclusive: true }));
    else app.use(prefix, reeve(controlPlane, { exclusive: true }));
    return listen(withNotFound(app));
  },
});

describeHttpContract({
  name: "the plain listener in front of Express",
  prefixes: [""],
  rootRoutes: [true],
  start: ({ controlPlane }) => listen(reeveListener(controlPlane, withNotFound(express()), { exclusive: true })),
});
