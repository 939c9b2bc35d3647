import { askOf, newRule } from "./decisions.js";
import type { Scene } from "./scene.js";

const allowing = {
  arrange: async (scene: Scene): Promise<Record<string, string>> => {
    await newRule(scene, "allow");
    return {};
  },
};

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
  "authzen.searchSubjects": {
    ...allowing,
    body: (scene: Scene) => ({ ...askOf(scene), subject: { type: askOf(scene).subject.type }, page: { limit: 5 } }),
  },
  "authzen.searchResources": {
    ...allowing,
    body: (scene: Scene) => ({ ...askOf(scene), resource: { type: askOf(scene).resource.type } }),
  },
  "authzen.searchActions": {
    ...allowing,
    body: (scene: Scene) => ({ subject: askOf(scene).subject, resource: askOf(scene).resource }),
  },
  "authzen.configuration": {},
};
