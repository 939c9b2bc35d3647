export {
  newAccessIdentity,
  newAccessProfile,
  newAccessResource,
  newAssignment,
  newTarget,
} from "./access.js";
export {
  appBody,
  authnRequest,
  logoutMessage,
  type NewApp,
  newApp,
  newLaunch,
  newSignOn,
  providerKey,
  soapAnswer,
} from "./apps.js";
export { newImpactAssessment, newSubmittedAssessment } from "./assessments.js";
export { type Answer, clientOf, type Send, type Sending } from "./client.js";
export { assessmentBody, frameworkBody, newAdoption, newAssessment, newFramework } from "./compliance.js";
export { answerMistakes } from "./conformance.js";
export { newActiveInstance, newPlannedImport } from "./connector-imports.js";
export { instanceBody, newInstance } from "./connectors.js";
export { askOf, newApproval, newRule } from "./decisions.js";
export { newListedServer, newRegistryKey } from "./doors.js";
export { newEnrolmentCode, newInstallation, newPublication, newWatch } from "./enforcement.js";
export { type CountingIds, countingIds } from "./ids.js";
export { codeIn, linkTokenIn, Mailbox } from "./mailbox.js";
export { masked } from "./masked.js";
export { newWebhook } from "./notices.js";
export { headersOf, pathOf, sampleOf, sendSample, table, tokenFor, withQuery } from "./request.js";
export type { Sample } from "./sample.js";
export { samples } from "./samples.js";
export { type Actor, ROLE_NAMES, type Role, Scene } from "./scene.js";
export {
  type AccessAccount,
  type AccessMethod,
  repository,
  repositoryProfile,
  ScriptedAccess,
} from "./scripted-access.js";
export { type ScriptedCall, ScriptedConnector } from "./scripted-connector.js";
export { ScriptedMcp } from "./scripted-mcp.js";
export {
  BASE_URL,
  copyWorld,
  createPlane,
  createProvider,
  createScene,
  createTenant,
  createWorld,
  MASTER_KEY,
  START,
  type World,
} from "./world.js";
