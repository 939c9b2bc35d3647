import { describe, expect, it } from "vitest";
import type { Principal } from "../../../kernel/principal.js";
import { permissionsOf } from "../roles.js";
import { checkGrant, checkPassword, isWorkingOwner } from "./rules.js";

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

describe("checkGrant", () => {
  const principal = (...roles: string[]): Principal => ({
    kind: "user",
    tenantId: "tnt_1",
    userId: "usr_1",
    username: "a",
    roles,
    permissions: permissionsOf(roles),
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
  ])("by %j from %j to %j: %s", (granter, before, after, code) => {
    expect(refusal(() => checkGrant(principal(...granter), before, after))).toBe(code);
  });
});

describe("isWorkingOwner", () => {
  it("wants an active user with the role", () => {
    expect(isWorkingOwner({ status: "active", roles: ["member", "owner"] })).toBe(true);
    expect(isWorkingOwner({ status: "disabled", roles: ["owner"] })).toBe(false);
    expect(isWorkingOwner({ status: "active", roles: ["admin"] })).toBe(false);
  });
});
