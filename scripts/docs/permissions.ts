import { type Machine, type Operation, PERMISSIONS, permissionsOf, ROLES } from "@reeve/core";
import { code, codes, markdownPage, type ReferencePage, table } from "./markdown.js";

const ROLE_NAMES = Object.keys(ROLES);

/** What each role may do: permissions, operations and transitions, without a blank cell. */
export function permissionsPage(operations: readonly Operation[], machines: readonly Machine[]): ReferencePage {
  return markdownPage("permissions.md", "Permissions", [
    `Roles: ${codes(ROLE_NAMES)}. A user can hold several; the permissions add up. Roles are read from the store on every ` +
      "request, never from the token.",
    "## Permissions",
    table(
      ["Permission", "Lets one", ...ROLE_NAMES.map(code)],
      Object.entries(PERMISSIONS).map(([permission, meaning]) => [
        code(permission),
        meaning,
        ...ROLE_NAMES.map((role) => mark(holds(role, permission))),
      ]),
    ),
    "## Operations",
    "`yes`: may call it, in a tenant that licenses the capability. `no`: 403 `permission_denied`. `anyone`: needs no token.",
    table(
      ["Operation", "Permission", "Capability", ...ROLE_NAMES.map(code)],
      operations.map((operation) => operationRow(operation)),
    ),
    "## Transitions",
    "The operation's own permission is needed as well. `owner`: only for records whose `owner` is that user. `second`: only " +
      "whoever neither asked for it nor owns the record. `time`: nobody can ask for it.",
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
    code(access.permission),
    capability,
    ...ROLE_NAMES.map((role) => mark(holds(role, access.permission))),
  ];
}

function transitionCell(row: Machine["transitions"][number], role: string): string {
  if (row.automatic) return "time";
  const may = row.permission === undefined || holds(role, row.permission);
  if (!may) return row.ownerMay ? "owner" : "no";
  return row.secondPerson ? "second" : "yes";
}
