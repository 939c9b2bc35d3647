import { bodiesOf, ESTATE_RECORD_NAMES, type EstateRecord } from "./estate-records.js";
import type { Sample } from "./sample.js";
import type { Scene } from "./scene.js";

type Verb = "list" | "create" | "read" | "replace" | "delete";

/** Samples of the five operations for each kind of typed record. */
export const estateSamples = Object.fromEntries(
  ESTATE_RECORD_NAMES.flatMap((name) => Object.entries(samplesOf(name)).map(([verb, one]) => [`${name}.${verb}`, one])),
) as Readonly<Record<`${EstateRecord}.${Verb}`, Sample>>;

function samplesOf(name: EstateRecord): Readonly<Record<Verb, Sample>> {
  const arrange = async (scene: Scene) => ({ id: await scene.newRecord(name) });
  return {
    list: {},
    create: { body: (scene) => ({ name: scene.unique(), ...bodiesOf(name).brief(scene.unique()) }) },
    read: { arrange },
    replace: { arrange, body: (scene) => ({ description: scene.unique() }) },
    delete: { arrange },
  };
}

const decision = { status: "blocked", reason: "because a test wants it so" };

/** Samples of reviews of tools. */
export const toolReviewSamples: Readonly<Record<"aiTools.review" | "aiTools.reviewMany", Sample>> = {
  "aiTools.review": { arrange: async (scene) => ({ id: await scene.newTool() }), body: () => decision },
  "aiTools.reviewMany": {
    arrange: async (scene) => {
      scene.picked = await scene.newTool();
      return {};
    },
    body: ({ picked }) => ({ items: [{ id: picked, status: decision.status }], reason: decision.reason }),
  },
};

/** Samples of the versions of assets: an asset, and the version that it was registered in. */
export const versionSamples: Readonly<Record<"aiAssets.listVersions" | "aiAssets.readVersion", Sample>> = {
  "aiAssets.listVersions": { arrange: async (scene) => ({ id: await scene.newAsset() }) },
  "aiAssets.readVersion": {
    async arrange(scene) {
      const id = await scene.newAsset();
      const path = `/api/v1/ai-assets/${id}/versions`;
      const { items } = (await scene.send("GET", path, { token: scene.owner.token })).json;
      return { id, versionId: items[0].id as string };
    },
  },
};
