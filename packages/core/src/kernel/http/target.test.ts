import { describe, expect, it } from "vitest";
import { parsePath, parseQuery } from "./target.js";

describe("parsePath", () => {
  it.each([
    ["/", "/"],
    ["/api/v1/x", "/api/v1/x"],
    ["/api/v1/x?y=/../%2f", "/api/v1/x"],
    ["/%61pi/v1", "/api/v1"],
    ["/caf%C3%A9", "/café"],
    ["/a+b", "/a+b"],
    ["/a%2fb/%61", "/a%2Fb/a"],
    ["/a%2Fb", "/a%2Fb"],
  ])("of %s is %s", (target, path) => {
    expect(parsePath(target)).toBe(path);
  });

  it.each([
    "",
    "x",
    "http://host/x",
    "//x",
    "/a//b",
    "/a/./b",
    "/a/..",
    "/a/../b",
    "/a%252fb",
    "/a%2f%2e%2e",
    "/a%2f%00",
    "/a%5cb",
    "/a\\b",
    "/a;b",
    "/a%00b",
    "/%2e%2e/a",
    "/a#b",
    "/a%0ab",
    "/a\u0000b",
    "/a%2541",
    "/a%7fb",
    "*",
  ])("leaves %j to nobody", (target) => {
    expect(parsePath(target)).toBeUndefined();
  });

  it.each(["/%", "/%4", "/%zz", "/%c0%af", "/%ff", "/%ed%a0%80"])("refuses the broken escape in %s", (target) => {
    expect(() => parsePath(target)).toThrow(expect.objectContaining({ code: "invalid_encoding" }));
  });
});

describe("parseQuery", () => {
  it.each<[string, Record<string, string>]>([
    ["/x", {}],
    ["/x?", {}],
    ["/x?a", { a: "" }],
    ["/x?a=", { a: "" }],
    ["/x?a=1&&b=2&", { a: "1", b: "2" }],
    ["/x?a=b=c", { a: "b=c" }],
    ["/x?a+b=c+d%2B", { "a b": "c d+" }],
    ["/x?%C3%A9=%F0%9F%98%80?", { é: "😀?" }],
  ])("of %s is %j", (target, query) => {
    expect({ ...parseQuery(target) }).toEqual(query);
    expect(Object.getPrototypeOf(parseQuery(target))).toBeNull();
  });

  it.each([
    ["/x?a=1&a=2", "invalid_parameter"],
    ["/x?a=1&%61=2", "invalid_parameter"],
    ["/x?__proto__=1", "forbidden_key"],
    ["/x?%5f_proto__=1", "forbidden_key"],
    ["/x?constructor=1", "forbidden_key"],
    ["/x?prototype", "forbidden_key"],
    ["/x?a=%", "invalid_encoding"],
    ["/x?a=%00", "invalid_encoding"],
    ["/x?%00=a", "invalid_encoding"],
    ["/x?a=%ff", "invalid_encoding"],
    ["/x?a=\ud800", "invalid_encoding"],
  ])("refuses %j as %s", (target, code) => {
    expect(() => parseQuery(target)).toThrow(expect.objectContaining({ code }));
  });
});
