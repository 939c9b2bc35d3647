import { askOf, newRule } from "./decisions.js";
import type { Scene } from "./scene.js";

const allowing = {
  arrange: async (scene: Scene): Promise<Record<string, string>> => {
    await newRule(scene, "allow");
    return {};
  },
};

const subject = { type: "user", id: "somebody" };
const resource = { type: "thing", id: "something" };

/** The samples of operations in the standards of others. */
export const doorSamples = {
  "authzen.evaluate": { ...allowing, body: askOf },
  "authzen.evaluateAll": {
    ...allowing,
    body: (scene: Scene) => {
      const { resource, ...shared } = askOf(scene);
      return { ...shared, evaluations: [{ resource }, {}] };
    },
  },
  "authzen.searchSubjects": { body: () => ({ subject: { type: "user" }, action: { name: "look" }, resource }) },
  "authzen.searchResources": { body: () => ({ subject, action: { name: "look" }, resource: { type: "thing" } }) },
  "authzen.searchActions": { body: () => ({ subject, resource }) },
  "authzen.configuration": {},
  "policyAgents.opa": {
    arrange: async (scene: Scene): Promise<Record<string, string>> => {
      await newRule(scene, "allow");
      return { packageName: "reeve", rule: "allow" };
    },
    body: (scene: Scene) => ({ input: askOf(scene) }),
  },
  "policyAgents.toolhive": {
    body: () => ({ principal: { sub: "somebody" }, operation: "mcp:tool:call", resource: "mrn:mcp:files:tool:read" }),
  },
  // A proxy tells what is asked by headers.
  "forwardAuth.ask": { elsewhere: 403 },
};
