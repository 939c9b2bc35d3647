import { describe, expect, it } from "vitest";
import { ConnectorError, errorOfStatus, expectOk } from "#connectors/index.js";

const failure = (status: number, headers: Record<string, string> = {}) =>
  errorOfStatus(status, new Headers(headers), "It failed.");

describe("the failure that a status means", () => {
  it.each([
    [400, "invalid"],
    [401, "auth"],
    [403, "permission"],
    [404, "not_found"],
    [409, "conflict"],
    [418, "fatal"],
    [429, "rate_limited"],
    [503, "transient"],
  ])("%i is %s", (status, errorClass) => {
    expect(failure(status)).toMatchObject({ errorClass, httpStatus: status, retryAfterMs: undefined });
  });

  it("a 403 that says when to come back, or that nothing remains, is a limit", () => {
    expect(failure(403, { "retry-after": "7" })).toMatchObject({ errorClass: "rate_limited", retryAfterMs: 7_000 });
    expect(failure(403, { "x-ratelimit-remaining": "0" })).toMatchObject({ errorClass: "rate_limited" });
    expect(failure(403, { "x-ratelimit-remaining": "9", "x-ratelimit-reset": "7" }).errorClass).toBe("permission");
  });

  it("a limit ends when its window does, for targets that say nothing else", () => {
    expect(failure(429, { "ratelimit-reset": "30" }).retryAfterMs).toBe(30_000);
    expect(failure(429, { "x-ratelimit-reset": "1000000000" }).retryAfterMs).toBe(0);
    const later = String(Math.ceil(Date.now() / 1_000) + 3_600);
    const { retryAfterMs = 0 } = failure(429, { "x-rate-limit-reset": later });
    expect(retryAfterMs).toBeGreaterThan(3_000_000);
    expect(retryAfterMs).toBeLessThanOrEqual(3_601_000);
    expect(failure(429, { "x-rate-limit-reset": "soon" }).retryAfterMs).toBeUndefined();
    expect(failure(429, { "x-rate-limit-reset": later, "retry-after": "1" }).retryAfterMs).toBe(1_000);
  });
});

describe("a pause that a target or an author names", () => {
  const DAY = 86_400_000;

  it.each(["31536000", "99999999999999999999", "9".repeat(400), "Fri, 31 Dec 9999 23:59:59 GMT"])(
    "of %s is taken for a day",
    (named) => {
      expect(failure(503, { "retry-after": named }).retryAfterMs).toBe(DAY);
    },
  );

  it("is never negative, and none where it is no time", () => {
    expect(failure(429, { "x-ratelimit-reset": "999999999999" }).retryAfterMs).toBe(DAY);
    expect(failure(503, { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }).retryAfterMs).toBe(0);
    expect(failure(503, { "retry-after": "soon" }).retryAfterMs).toBeUndefined();
    for (const [given, kept] of [
      [-5, 0],
      [7, 7],
      [Number.POSITIVE_INFINITY, DAY],
      [Number.NaN, undefined],
      ["7" as never, undefined],
    ] as const)
      expect(new ConnectorError("transient", "Later.", { retryAfterMs: given }).retryAfterMs).toBe(kept);
  });
});

describe("an answer that is not ok", () => {
  it.each([
    [401, "auth"],
    [404, "not_found"],
    [503, "transient"],
  ])("of %i is a failure of class %s, also when its body was read", async (status, errorClass) => {
    const failure = { name: "ConnectorError", errorClass, httpStatus: status };
    await expect(expectOk(new Response("text", { status }), "Reading")).rejects.toMatchObject(failure);
    const read = new Response("text", { status });
    await read.text();
    await expect(expectOk(read, "Reading")).rejects.toMatchObject(failure);
  });
});
