import {
  HUMAN_ONLY,
  type Machine,
  type Operation,
  PERMISSIONS,
  PROVIDER_ROLES,
  permissionsOf,
  ROLE_DESCRIPTIONS,
  ROLES,
} from "@reeve/core/reference";
import { code, codes, markdownPage, type ReferencePage, table } from "./markdown.js";

const ROLE_NAMES = Object.keys(ROLES);

/** The permissions, operations and transitions of each role, without blank cells. */
export function permissionsPage(operations: readonly Operation[], machines: readonly Machine[]): ReferencePage {
  return markdownPage("permissions.md", "Permissions", [
    "A user can hold several roles; the permissions add up. Roles are read from the store on every request, never from the " +
      "token: a change counts from the next request on in the process that made it, and within five seconds in every other. " +
      "A host adds roles of its own with the option `roles`.",
    table(
      ["Role", "For"],
      Object.entries(ROLE_DESCRIPTIONS).map(([role, what]) => [code(role), what]),
    ),
    `${codes(Object.keys(PROVIDER_ROLES))} exist only in the provider's own tenant, and hold no rights to the data of others.`,
    "## Permissions",
    "`Machines`: whether an AI identity can be given it as a scope. What people alone may hold is refused to every machine.",
    table(
      ["Permission", "Lets one", "Machines", ...ROLE_NAMES.map(code)],
      Object.entries(PERMISSIONS).map(([permission, meaning]) => [
        code(permission),
        meaning,
        HUMAN_ONLY.has(permission) ? "never" : "as a scope",
        ...ROLE_NAMES.map((role) => mark(holds(role, permission))),
      ]),
    ),
    "## Operations",
    "`yes`: may call it, in a tenant that licenses the capability. `no`: 403 `permission_denied`, or " +
      "403 `provider_policy` where **provider** stands before the permission and the caller is of another tenant. `anyone`: needs " +
      "no token.",
    table(
      ["Operation", "Permission", "Capability", ...ROLE_NAMES.map(code)],
      operations.map((operation) => operationRow(operation)),
    ),
    "## Transitions",
    "The operation's own permission is needed as well. `owner`: only for records whose `owner` is that user. `second`: only " +
      "whoever neither asked for it nor owns the record. `people`: no machine. `time`: nobody can ask for it.",
    table(
      ["Machine", "Event", "To", "Permission", ...ROLE_NAMES.map(code)],
      machines.flatMap((machine) =>
        machine.transitions.map((row) => [
          code(machine.name),
          code(row.event),
          code(row.to),
          row.permission ? code(row.permission) : "",
          ...ROLE_NAMES.map((role) => transitionCell(row, role)),
        ]),
      ),
    ),
  ]);
}

function holds(role: string, permission: string): boolean {
  return permissionsOf([role]).has(permission);
}

function mark(yes: boolean): string {
  return yes ? "yes" : "no";
}

function operationRow({ id, access }: Operation): string[] {
  if (access === "public") return [code(id), "", "", ...ROLE_NAMES.map(() => "anyone")];
  if (access === "signed-in") return [code(id), "", "", ...ROLE_NAMES.map(() => "yes")];
  const capability = access.capability ? code(access.capability) : "";
  return [
    code(id),
    `${access.provider ? "**provider** " : ""}${code(access.permission)}`,
    capability,
    ...ROLE_NAMES.map((role) => mark(holds(role, access.permission))),
  ];
}

function transitionCell(row: Machine["transitions"][number], role: string): string {
  if (row.automatic) return "time";
  const may = row.permission === undefined || holds(role, row.permission);
  if (!may) return row.ownerMay ? "owner" : "no";
  if (row.fourEyes) return "second";
  return row.byPeople ? "people" : "yes";
}
