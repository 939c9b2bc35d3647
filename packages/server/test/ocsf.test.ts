import { collections, machines, OWN_EVENTS } from "@reeve/core/reference";
import { describe, expect, it } from "vitest";
import type { AuditEvent } from "../src/audit/event.js";
import { ocsfRecord } from "../src/audit/ocsf.js";

/** What each class of OCSF 1.6.0 requires beside what all of them do, and its numbers. */
const CLASSES: Readonly<Record<number, { requires: string[]; activities: number[]; statuses: number[] }>> = {
  6003: { requires: ["actor", "api", "src_endpoint"], activities: [0, 1, 2, 3, 4, 99], statuses: [0, 1, 2, 99] },
  3002: { requires: ["user", "service"], activities: [0, 1, 2, 3, 4, 5, 6, 7, 99], statuses: [0, 1, 2, 99] },
  3001: { requires: ["user"], activities: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 99], statuses: [0, 1, 2, 99] },
  2004: { requires: ["finding_info"], activities: [0, 1, 2, 3, 99], statuses: [0, 1, 2, 3, 4, 5, 6, 99] },
};
const REQUIRED = ["activity_id", "category_uid", "class_uid", "metadata", "severity_id", "time", "type_uid"];
/** Members of these classes that are not required. */
const KNOWN = ["message", "resources", "status", "status_detail", "status_id", "unmapped"];
const SEVERITIES = [0, 1, 2, 3, 4, 5, 6, 99];
/** By the classes of findings and of all others. */
const STATUS_TEXTS: Readonly<Record<string, readonly string[]>> = {
  findings: ["Unknown", "New", "In Progress", "Suppressed", "Resolved", "Archived", "Deleted"],
  others: ["Unknown", "Success", "Failure"],
};

/** Every type of event, as the reference lists them. */
const TYPES = [
  ...collections.flatMap(({ resource }) =>
    !resource || resource.ownEvents ? [] : ["created", "updated", "deleted"].map((verb) => `${resource.event}.${verb}`),
  ),
  ...machines.map(({ eventType }) => eventType),
  ...Object.keys(OWN_EVENTS),
];

const OUTCOMES = [
  ["success", "INFO"],
  ["denied", "WARN"],
  ["failure", "ERROR"],
] as const;

const eventOf = (type: string, more: object = {}) =>
  ({
    ...{ specversion: "1.0", id: "evt_1", type: `reeve.${type}.v1`, time: "2026-11-30T09:00:00.000Z" },
    ...{ subject: "ast_1", subjecttype: "ai_asset", authid: "usr_1", authtype: "user", correlationid: "req_1" },
    ...{ outcome: "success", severitytext: "INFO", severitynumber: 9, sequence: "000000000004", data: {} },
    ...more,
  }) as unknown as AuditEvent;

/** What is wrong with a record by the published schema. */
function faultsOf(record: Readonly<Record<string, unknown>>): string[] {
  const of = CLASSES[record.class_uid as number];
  if (!of) return ["its class"];
  const { class_uid, activity_id, severity_id, status_id, status, metadata, user, finding_info, actor } =
    // biome-ignore lint/suspicious/noExplicitAny: members are looked into below
    record as Record<string, any>;
  const members = [...REQUIRED, ...of.requires];
  const names = STATUS_TEXTS[class_uid === 2004 ? "findings" : "others"];
  const isText = (value: unknown) => typeof value === "string" && value.length > 0;
  return [
    ...members.filter((name) => record[name] === undefined).map((name) => `lacks ${name}`),
    ...Object.keys(record).filter((name) => ![...members, ...KNOWN, "actor"].includes(name)),
    ...(of.activities.includes(activity_id) ? [] : ["activity_id"]),
    ...(of.statuses.includes(status_id) && names?.[status_id] === status ? [] : ["status_id"]),
    ...(SEVERITIES.includes(severity_id) ? [] : ["severity_id"]),
    ...(record.type_uid === class_uid * 100 + activity_id ? [] : ["type_uid"]),
    ...(record.category_uid === Math.floor(class_uid / 1_000) ? [] : ["category_uid"]),
    ...(Number.isInteger(record.time) ? [] : ["time"]),
    ...(isText(metadata.version) && isText(metadata.product.name) && isText(metadata.product.vendor_name)
      ? []
      : ["metadata"]),
    ...(Number.isInteger(metadata.sequence) ? [] : ["metadata.sequence"]),
    ...(isText(actor.user.uid) && (user === undefined || isText(user.uid)) ? [] : ["user"]),
    ...(finding_info === undefined || isText(finding_info.uid) ? [] : ["finding_info"]),
  ];
}

describe("records of OCSF", () => {
  it.each(TYPES)("of %s are of one of the four classes, with all that it requires", (type) => {
    for (const [outcome, severitytext] of OUTCOMES)
      expect(faultsOf(ocsfRecord(eventOf(type, { outcome, severitytext }), "tnt_1")), outcome).toEqual([]);
  });

  it("of findings tell what has become of the finding, and not of the event", () => {
    const statusOf = (type: string) => ocsfRecord(eventOf(type), "tnt_1").status;
    expect(statusOf("finding.opened")).toBe("New");
    expect(statusOf("finding.resolved")).toBe("Resolved");
    expect(statusOf("finding.exempted")).toBe("Suppressed");
    expect(statusOf("finding.voided")).toBe("New");
    expect(statusOf("finding.updated")).toBe("Unknown");
  });

  it("of accounts tell whether they were enabled or disabled", () => {
    const activityOf = (tostate: string) =>
      ocsfRecord(eventOf("user.status.changed", { tostate }), "tnt_1").activity_id;
    expect(["active", "disabled", "invited"].map(activityOf)).toEqual([2, 5, 99]);
  });
});
