import { describe, expect, it } from "vitest";
import { base32, matchingStep, newTotpSecret, STEP_MS, totpCode, totpUri } from "./totp-codes.js";

/** The secret of appendix B of RFC 6238, for SHA-1. */
const SECRET = base32(Buffer.from("12345678901234567890"));

describe("one-time passwords", () => {
  it.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("are those of RFC 6238 after %d seconds", (seconds, code) => {
    expect(totpCode(SECRET, seconds * 1_000)).toBe(code);
  });

  it("are taken one step early and late, and never at or before the step that was used", () => {
    const now = 1_800_000_000_000;
    const step = now / STEP_MS;
    const at = (steps: number) => totpCode(SECRET, now + steps * STEP_MS);
    expect([-2, -1, 0, 1, 2].map((steps) => matchingStep(SECRET, at(steps), now, null))).toEqual([
      undefined,
      step - 1,
      step,
      step + 1,
      undefined,
    ]);
    expect(matchingStep(SECRET, at(0), now, step)).toBeUndefined();
    expect(matchingStep(SECRET, at(1), now, step)).toBe(step + 1);
    for (const code of ["", "28708", "2870821", " 287082", "２８７０８２", "28708x"])
      expect(matchingStep(SECRET, code, 59_000, null)).toBeUndefined();
  });

  it("have secrets of 160 bits, and an address that apps read", () => {
    expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
    expect(SECRET).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    expect(totpUri("ABC", "Reeve & co", "ada+1@acme.example")).toBe(
      "otpauth://totp/Reeve%20%26%20co:ada%2B1%40acme.example?secret=ABC&issuer=Reeve%20%26%20co",
    );
  });
});
