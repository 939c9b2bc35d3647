import { reeveListener } from "@reeve/adapter-http";
import { describeHttpContract } from "@reeve/testkit";
import express from "express";
import { inject } from "vitest";
import { reeve } from "../src/index.js";
import { listen, withNotFound } from "./servers.js";

/** Each prefix once, and both with and without root routes. */
const QUICK = [
  ["", true],
  ["/governance", false],
] as const;

describeHttpContract({
  name: "Express",
  ...(inject("isQuick") ? { mounts: QUICK } : {}),
  start: ({ controlPlane, prefix }) => {
    const app = express();
    if (prefix === "") app.use(reeve(controlPlane, { exclusive: true }));
    else app.use(prefix, reeve(controlPlane, { exclusive: true }));
    return listen(withNotFound(app));
  },
});

describeHttpContract({
  name: "the plain listener in front of Express",
  mounts: [["", true]],
  start: ({ controlPlane }) => listen(reeveListener(controlPlane, withNotFound(express()), { exclusive: true })),
});
