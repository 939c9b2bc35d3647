import { ConnectorError } from "@reeve/core/connectors";
import { describe, expect, it } from "vitest";
import { attributesAsked, requireShown } from "../src/asked-attributes.js";

const asked = (filter: string) => [...attributesAsked("identityFilter", filter)];

describe("the attributes that a filter of SCIM or a search of Okta asks for", () => {
  it.each([
    ['userType eq "Service"', ["userType"]],
    ["userName pr", ["userName"]],
    ['(userType eq "Service" or not (userName co "a\\"b)")) and active eq true', ["userType", "userName", "active"]],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "x"', ["userName"]],
    ['profile.login sw "bob" AND status NE "DEPROVISIONED"', ["profile.login", "status"]],
    ['groups.value eq "g1"', ["groups.value"]],
  ])("of %s are all that it names", (filter, names) => {
    expect(asked(filter)).toEqual(names);
  });

  it.each([
    "",
    "bob",
    "userName eq",
    'userName eq "a" password eq "b"',
    "(userName pr",
    "userName pr)",
    'emails[type eq "work"]',
    "not userName pr",
    '"a" eq "b"',
    "a and",
  ])("are none of %j, which is refused", (filter) => {
    expect(() => asked(filter)).toThrow(ConnectorError);
  });

  it("are compared in any case, and one that a listing does not show is named", () => {
    requireShown("identityFilter", ["USERNAME"], ["userName"]);
    expect(() => requireShown("identityFilter", ["userName", "password"], ["userName"])).toThrow(/asks for password/);
  });
});
