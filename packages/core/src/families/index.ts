import { type Extension, partsOf } from "../kernel/config/extension.js";
import type { Area, Follower } from "../kernel/operation/area.js";
import { type FourEyesPlace, fourEyesPlaces } from "../kernel/operation/four-eyes.js";
import type { Worded } from "../kernel/operation/operation.js";
import type { Collection } from "../kernel/records/collection.js";
import type { Machine } from "../kernel/records/machine.js";
import { accessArea } from "./access/area.js";
import { accessDriftArea } from "./access-drift/area.js";
import { accessGrantsArea } from "./access-grants/area.js";
import { accessOverviewArea } from "./access-overview/area.js";
import { accessRequestsArea } from "./access-requests/area.js";
import { accessReviewsArea } from "./access-reviews/area.js";
import { accountability } from "./accountability/area.js";
import { activity } from "./activity/area.js";
import { agentToolsArea } from "./agent-tools/area.js";
import { appsArea } from "./apps/area.js";
import type { OperationsOf } from "./area.js";
import { assessmentsArea } from "./assessments/area.js";
import { complianceArea } from "./compliance/area.js";
import { connectorsArea } from "./connectors/area.js";
import { doorsArea } from "./doors/area.js";
import { enforcementArea } from "./enforcement/area.js";
import { estate } from "./estate/area.js";
import { declaredEvents, joinedEvents, type OwnEvents } from "./events.js";
import { findingsArea } from "./findings/area.js";
import { governance } from "./governance/area.js";
import { identity } from "./identity/area.js";
import { RoleBook } from "./identity/index.js";
import { noticesArea } from "./notices/area.js";
import { inOrderOfReference } from "./order.js";
import { overview } from "./overview/area.js";
import { platform } from "./platform/area.js";
import type { Capability } from "./platform/index.js";
import { reviewsArea } from "./reviews/area.js";
import { declaredPermissions } from "./roles.js";
import { aiSessions } from "./sessions/area.js";
import { support } from "./support/area.js";
import type { Tag } from "./tags.js";

/** Every area, in the order of the reference. A new area is added here, twice, and nowhere else. */
type Areas = readonly [
  typeof identity,
  typeof platform,
  typeof support,
  typeof accountability,
  typeof estate,
  typeof aiSessions,
  typeof findingsArea,
  typeof assessmentsArea,
  typeof governance,
  typeof enforcementArea,
  typeof doorsArea,
  typeof complianceArea,
  typeof connectorsArea,
  typeof accessArea,
  typeof accessGrantsArea,
  typeof accessReviewsArea,
  typeof accessRequestsArea,
  typeof accessDriftArea,
  typeof agentToolsArea,
  typeof accessOverviewArea,
  typeof appsArea,
  typeof activity,
  typeof noticesArea,
  typeof overview,
  typeof reviewsArea,
];

const AREAS: Areas = [
  identity,
  platform,
  support,
  accountability,
  estate,
  aiSessions,
  findingsArea,
  assessmentsArea,
  governance,
  enforcementArea,
  doorsArea,
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
  noticesArea,
  overview,
  reviewsArea,
];

/** The same areas, where the types of their operations do not matter. */
export const families: readonly Area[] = AREAS as readonly unknown[] as readonly Area[];

/** A misspelt group or capability of an operation does not compile here. */
type Declared<All extends readonly Worded<Tag, Capability>[]> = All;

/** The operations of all areas by name, so that the declaration of the whole table names them and does not repeat them. */
export type Operations = Declared<OperationsOf<Areas>>;

/** Every operation. */
export const operations = inOrderOfReference(
  families.flatMap((area) => area.operations),
) as readonly unknown[] as Operations;

// biome-ignore lint/suspicious/noExplicitAny: collections of different records stand in one list
export const collections: readonly Collection<any>[] = families.flatMap((area) => area.collections);

/** Followers of all areas. */
export const followers: readonly Follower[] = families.flatMap((area) => area.follows ?? []);

/** Extensions of all areas. */
export const extensions: readonly Extension[] = families.flatMap((area) => area.extends ?? []);

/** The built-in roles, with the permissions that all resources declare. */
export const builtInRoles: RoleBook = new RoleBook({}, partsOf(extensions, declaredPermissions));

/** Every type of event that handlers emit themselves, and when. */
export const OWN_EVENTS: OwnEvents = joinedEvents(partsOf(extensions, declaredEvents));

/** Decisions outside machines that take a four-eyes approver. */
export const FOUR_EYES_PLACES: readonly FourEyesPlace[] = partsOf(extensions, fourEyesPlaces);

export const machines: readonly Machine[] = families.flatMap((area) => area.machines);
