import { type Extension, partsOf } from "../kernel/config/extension.js";
import type { Area, Follower } from "../kernel/operation/area.js";
import { type FourEyesPlace, fourEyesPlaces } from "../kernel/operation/four-eyes.js";
import type { Worded } from "../kernel/operation/operation.js";
import type { Collection } from "../kernel/records/collection.js";
import type { Machine } from "../kernel/records/machine.js";
import { accessArea } from "./access/index.js";
import { accessDriftArea } from "./access-drift/index.js";
import { accessGrantsArea } from "./access-grants/index.js";
import { accessOverviewArea } from "./access-overview/index.js";
import { accessRequestsArea } from "./access-requests/index.js";
import { accessReviewsArea } from "./access-reviews/index.js";
import { accountability } from "./accountability/index.js";
import { activity } from "./activity/index.js";
import { agentToolsArea } from "./agent-tools/index.js";
import { appsArea } from "./apps/index.js";
import { assessmentsArea } from "./assessments/index.js";
import { complianceArea } from "./compliance/index.js";
import { connectorsArea } from "./connectors/index.js";
import { estate } from "./estate/index.js";
import { declaredEvents, joinedEvents, type OwnEvents } from "./events.js";
import { findingsArea } from "./findings/index.js";
import { governance } from "./governance/index.js";
import { identity, RoleBook } from "./identity/index.js";
import { inOrderOfReference } from "./order.js";
import { overview } from "./overview/index.js";
import { type Capability, platform } from "./platform/index.js";
import { reviewsArea } from "./reviews/index.js";
import { declaredPermissions } from "./roles.js";
import { aiSessions } from "./sessions/index.js";
import { support } from "./support/index.js";
import type { Tag } from "./tags.js";

/** Every area, in the order of the reference. A new area is added here and nowhere else. */
export const families: readonly Area[] = [
  identity,
  platform,
  support,
  accountability,
  estate,
  aiSessions,
  findingsArea,
  assessmentsArea,
  governance,
  complianceArea,
  connectorsArea,
  accessArea,
  accessGrantsArea,
  accessReviewsArea,
  accessRequestsArea,
  accessDriftArea,
  agentToolsArea,
  accessOverviewArea,
  appsArea,
  activity,
  overview,
  reviewsArea,
];

/** The operations of all areas by name, so that the declaration of the whole table names them and does not repeat them. */
export type Operations = readonly [
  ...typeof identity.operations,
  ...typeof platform.operations,
  ...typeof support.operations,
  ...typeof accountability.operations,
  ...typeof estate.operations,
  ...typeof aiSessions.operations,
  ...typeof findingsArea.operations,
  ...typeof assessmentsArea.operations,
  ...typeof governance.operations,
  ...typeof complianceArea.operations,
  ...typeof connectorsArea.operations,
  ...typeof accessArea.operations,
  ...typeof accessGrantsArea.operations,
  ...typeof accessReviewsArea.operations,
  ...typeof accessRequestsArea.operations,
  ...typeof accessDriftArea.operations,
  ...typeof agentToolsArea.operations,
  ...typeof accessOverviewArea.operations,
  ...typeof appsArea.operations,
  ...typeof activity.operations,
  ...typeof overview.operations,
  ...typeof reviewsArea.operations,
];

/** Every operation. A misspelt group or capability does not compile here. */
export const operations = inOrderOfReference([
  ...identity.operations,
  ...platform.operations,
  ...support.operations,
  ...accountability.operations,
  ...estate.operations,
  ...aiSessions.operations,
  ...findingsArea.operations,
  ...assessmentsArea.operations,
  ...governance.operations,
  ...complianceArea.operations,
  ...connectorsArea.operations,
  ...accessArea.operations,
  ...accessGrantsArea.operations,
  ...accessReviewsArea.operations,
  ...accessRequestsArea.operations,
  ...accessDriftArea.operations,
  ...agentToolsArea.operations,
  ...accessOverviewArea.operations,
  ...appsArea.operations,
  ...activity.operations,
  ...overview.operations,
  ...reviewsArea.operations,
] as const satisfies readonly Worded<Tag, Capability>[]) as readonly Worded<Tag, Capability>[] as Operations;

// biome-ignore lint/suspicious/noExplicitAny: collections of different records stand in one list
export const collections: readonly Collection<any>[] = families.flatMap((area) => area.collections);

/** Followers of all areas. */
export const followers: readonly Follower[] = families.flatMap((area) =>
  "follows" in area ? (area.follows ?? []) : [],
);

/** Extensions of all areas. */
export const extensions: readonly Extension[] = families.flatMap((area) =>
  "extends" in area ? (area.extends ?? []) : [],
);

/** The built-in roles, with the permissions that all resources declare. */
export const builtInRoles: RoleBook = new RoleBook({}, partsOf(extensions, declaredPermissions));

/** Every type of event that handlers emit themselves, and when. */
export const OWN_EVENTS: OwnEvents = joinedEvents(partsOf(extensions, declaredEvents));

/** Decisions outside machines that take a four-eyes approver. */
export const FOUR_EYES_PLACES: readonly FourEyesPlace[] = partsOf(extensions, fourEyesPlaces);

export const machines: readonly Machine[] = families.flatMap((area) => area.machines);
