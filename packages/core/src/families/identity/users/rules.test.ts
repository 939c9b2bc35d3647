import { describe, expect, it } from "vitest";
import { builtInRoles } from "#families/index.js";
import type { Principal } from "#kernel/config/principal.js";
import { RoleBook } from "../roles/rules.js";
import { checkGrant, checkPassword, checkRoles } from "./rules.js";
import { isWorkingOwner } from "./user-ownership.js";

const refusal = (act: () => void): string | undefined => {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe("checkPassword", () => {
  it.each<[string, string, string[], number]>([
    ["of the least length", "fifteen chars!!", [], 15],
    ["of the most bytes", "é".repeat(512).replace(/^é/, "zz"), [], 15],
    ["of emoji, counted as characters", "🔑🌍🎈🍀🎲🚲🌵🎻", [], 8],
    ["that mentions the user in passing", "ada went to the seaside in May", ["ada@acme.example"], 15],
    ["with spaces at both ends", "  a pass phrase with air  ", [], 15],
  ])("takes one %s", (_name, password, context, length) => {
    expect(refusal(() => checkPassword(password, context, length))).toBeUndefined();
  });

  it.each<[string, string, string[], number]>([
    ["too short by one", "fourteen chars", [], 15],
    ["short in characters though long in bytes", "🔑🌍🎈🍀🎲🚲🌵", [], 8],
    ["too long by a byte", `${"é".repeat(512)}x`, [], 15],
    ["that everybody uses", "password1234567890", [], 15],
    ["that everybody uses, in capitals", "PASSWORD1234567890", [], 15],
    ["that everybody uses, in full width", "ｐａｓｓｗｏｒｄ１２３４５６７８９０", [], 15],
    ["that repeats a short piece", "abcabcabcabcabcabc", [], 15],
    ["made of the user's name", "lovelace-lovelace", ["ada.lovelace@acme.example"], 15],
    ["made of the organisation's name", "Acmecorporation1", ["Acmecorporation Ltd"], 15],
  ])("refuses one %s", (_name, password, context, length) => {
    expect(refusal(() => checkPassword(password, context, length))).toBe("password_rejected");
  });
});

const declared = [builtInRoles.permissions];
const book = new RoleBook({ librarian: { description: "Keeps the list", permissions: ["ai-asset:write"] } }, declared);

describe("checkRoles", () => {
  it.each<[string[], boolean, string | undefined]>([
    [["owner", "librarian"], false, undefined],
    [["nobody"], false, "invalid_request"],
    [["__proto__"], false, "invalid_request"],
    [["provider_admin"], false, "invalid_request"],
    [["provider_support"], true, undefined],
  ])("of %j, in the provider's tenant: %s: %s", (given, provider, code) => {
    expect(refusal(() => checkRoles(book, provider, given))).toBe(code);
  });
});

describe("a role of the host's", () => {
  it.each<[string, string, string[]]>([
    ["a built-in name", "owner", []],
    ["a name with a space", "a b", []],
    ["an unknown permission", "own", ["ai-asset:everything"]],
    ["a support permission", "own", ["support:read"]],
  ])("is refused with %s", (_what, name, permissions) => {
    expect(refusal(() => new RoleBook({ [name]: { description: "", permissions } }, declared))).toBe("invalid_request");
  });

  it("adds to the permissions of the others", () => {
    expect([...book.permissionsOf(["librarian", "nobody"])]).toEqual(["ai-asset:write"]);
    expect(book.permissionsOf(["librarian", "auditor"]).size).toBe(builtInRoles.permissionsOf(["auditor"]).size + 1);
  });
});

describe("S1 a role name with a space", () => {
  const names = ["governance_officer", "operator"];
  const one = names.join(" ");

  it("is not taken for the two roles that others hold together", () => {
    const fresh = new RoleBook({}, declared);
    const both = fresh.permissionsOf(names);
    expect([both.size > 0, fresh.permissionsOf([one]).size]).toEqual([true, 0]);
  });

  it("takes nothing from those who hold the two roles together", () => {
    const fresh = new RoleBook({}, declared);
    expect([fresh.permissionsOf([one]).size, fresh.permissionsOf(names).size > 0]).toEqual([0, true]);
  });

  it("is left out beside roles that exist", () => {
    const fresh = new RoleBook({}, declared);
    expect(fresh.permissionsOf([one, "auditor"])).toBe(fresh.permissionsOf(["auditor"]));
  });
});

describe("checkGrant", () => {
  const principal = (...roles: string[]): Principal => ({
    kind: "user",
    tenantId: "tnt_1",
    userId: "usr_1",
    username: "a",
    roles,
    permissions: builtInRoles.permissionsOf(roles),
  });

  it.each<[string[], string[], string[], string | undefined]>([
    [["owner"], [], ["owner"], undefined],
    [["admin"], [], ["owner"], "permission_denied"],
    [["admin"], ["owner"], [], "permission_denied"],
    [["admin"], [], ["admin"], undefined],
    [["auditor"], [], ["operator"], "permission_denied"],
    [["auditor"], ["operator"], ["operator"], undefined],
    [["governance_officer"], ["member"], ["approver"], "permission_denied"],
    [["governance_officer"], [], ["approver"], undefined],
    [["governance_officer", "member"], ["member"], ["approver"], undefined],
    [["member"], [], ["librarian"], undefined],
    [["auditor"], [], ["librarian"], "permission_denied"],
    [["owner"], [], ["provider_support"], "permission_denied"],
    [["provider_admin"], [], ["provider_admin"], undefined],
  ])("by %j from %j to %j: %s", (granter, before, after, code) => {
    expect(refusal(() => checkGrant(book, principal(...granter), before, after))).toBe(code);
  });
});

describe("isWorkingOwner", () => {
  it("wants an active user with the role", () => {
    expect(isWorkingOwner({ status: "active", roles: ["member", "owner"] })).toBe(true);
    expect(isWorkingOwner({ status: "disabled", roles: ["owner"] })).toBe(false);
    expect(isWorkingOwner({ status: "active", roles: ["admin"] })).toBe(false);
    expect(isWorkingOwner({ status: "active", roles: ["provider_admin"] })).toBe(true);
  });
});
