import type { Sample } from "./sample.js";
import type { Actor, Scene } from "./scene.js";

const PATH = "/api/v1/ai-governance/assessments";

/** The body for an assessment of a new asset, with every text but without all answers. */
function assessmentBody(scene: Scene, assetId: string, questionnaire: "impact" | "risk" = "impact") {
  const text = scene.unique();
  const metadata = { note: text };
  return { name: text, assetId, questionnaire, conclusion: text, residualRisk: "medium", metadata };
}

/** Begins the impact assessment of an asset, a new one by default, with an answer to every question. Returns its id. */
export async function newImpactAssessment(
  scene: Scene,
  more: Readonly<Record<string, unknown>> = {},
  as: Actor = scene.actors.operator,
): Promise<string> {
  const { token } = as;
  const listed = await scene.send("GET", `${PATH}/questionnaires`, { token });
  const { questions } = listed.json.items.find(({ key }: { key: string }) => key === (more.questionnaire ?? "impact"));
  const answers = Object.fromEntries(
    questions.map(({ key, rated }: { key: string; rated: boolean }) => [
      key,
      { text: scene.unique(), ...(rated ? { rating: "low" } : {}) },
    ]),
  );
  const assetId = more.assetId === undefined ? await scene.newAsset() : String(more.assetId);
  const body = { ...assessmentBody(scene, assetId), answers, ...more };
  const created = await scene.send("POST", PATH, { token, body });
  if (created.status !== 201) throw new Error(created.text);
  return created.json.id;
}

/** Submits the assessment of an asset. Returns its id. */
export async function newSubmittedAssessment(
  scene: Scene,
  more: Readonly<Record<string, unknown>> = {},
  as: Actor = scene.actors.operator,
): Promise<string> {
  const id = await newImpactAssessment(scene, more, as);
  const submitted = await scene.send("PATCH", `${PATH}/${id}/submit`, {
    token: as.token,
    headers: { "if-match": "*" },
  });
  if (submitted.status !== 200) throw new Error(submitted.text);
  return id;
}

const aDraft = async (scene: Scene) => ({ id: await newImpactAssessment(scene) });
const aSubmission = async (scene: Scene) => ({ id: await newSubmittedAssessment(scene) });
const reason = "so that a test can see it";

/** The samples of this area's operations. */
export const assessmentSamples = {
  "aiAssessments.list": {},
  "aiAssessments.listQuestionnaires": {},
  "aiAssessments.read": { arrange: aDraft },
  "aiAssessments.create": {
    async arrange(scene) {
      scene.picked = await scene.newAsset();
      return {};
    },
    body: (scene) => assessmentBody(scene, scene.picked),
  },
  "aiAssessments.replace": { arrange: aDraft, body: (scene) => ({ conclusion: scene.unique() }) },
  "aiAssessments.delete": { arrange: aDraft },
  "aiAssessments.submit": { arrange: aDraft, body: () => ({ reason }) },
  "aiAssessments.return": { arrange: aSubmission, body: () => ({ reason }) },
  "aiAssessments.approve": { arrange: aSubmission, body: () => ({ reason }), ifMatch: '"2"' },
} as const satisfies Readonly<Record<string, Sample>>;
