import { newAssignment } from "./access.js";
import { newCertification, newCertificationItem } from "./certifications.js";
import type { Sample } from "./sample.js";
import type { Scene } from "./scene.js";

const reason = "because a test wants it so";

const aCampaign = async (scene: Scene) => ({ id: await newCertification(scene) });

async function anItem(scene: Scene) {
  const id = await newCertification(scene);
  const { id: assignmentId } = await newAssignment(scene);
  return { id, itemId: await newCertificationItem(scene, id, assignmentId) };
}

async function itsCampaign(scene: Scene) {
  const { id, itemId } = await anItem(scene);
  scene.picked = itemId;
  return { id };
}

const confirmation = { revokes: 1, silent: 1, items: 1, recent: 0, by: null, at: null, chosen: null };

/** The samples of operations about certifications of access. */
export const certificationSamples = {
  "accessCertifications.list": {},
  "accessCertifications.create": { body: (scene) => ({ name: scene.unique(), description: scene.unique() }) },
  "accessCertifications.read": { arrange: aCampaign },
  "accessCertifications.close": { arrange: aCampaign, body: () => ({ reason }) },
  "accessCertifications.confirm": {
    arrange: async (scene) => ({
      // Whoever began a campaign does not confirm it.
      id: await newCertification(scene, {
        ...{ status: "awaiting_confirmation", confirmation, ownerId: scene.actors.member.userId },
      }),
    }),
    body: () => ({ revokes: "none", reason }),
  },
  "accessCertifications.cancel": { arrange: aCampaign, body: () => ({ reason }) },
  "accessCertifications.listItems": { arrange: itsCampaign },
  "accessCertifications.certifyItems": {
    arrange: itsCampaign,
    body: (scene) => ({ items: [{ id: scene.picked, expectedSnapshotVersion: 1 }], reason }),
  },
  "accessCertifications.revokeItems": {
    arrange: itsCampaign,
    body: (scene) => ({ items: [{ id: scene.picked, expectedSnapshotVersion: 1 }], reason }),
  },
  "accessCertifications.reviewItem": {
    arrange: anItem,
    body: () => ({ decision: "certify", expectedSnapshotVersion: 1, reason }),
  },
  "accessCertificationItems.list": {},
} as const satisfies Readonly<Record<string, Sample>>;
