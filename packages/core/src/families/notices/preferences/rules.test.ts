import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hoursMs } from "#ports/durations.js";
import { MAIL_DEFAULTS, PREFERENCE_DEFAULTS } from "./fields.js";
import { dayAt, isTimeZone, momentOf, shownAt } from "./local-time.js";
import { mailMoment } from "./rules.js";

const at = (text: string) => Date.parse(text);
const shown = (moment: number | undefined) => (moment === undefined ? undefined : new Date(moment).toISOString());
const daily = { ...MAIL_DEFAULTS, waiting: "daily" } as const;
const inBerlin = { ...PREFERENCE_DEFAULTS, timeZone: "Europe/Berlin", mail: daily };
const office = { days: [1, 2, 3, 4, 5], from: 9, to: 17 };

describe("when a notice is mailed", () => {
  it.each([
    ["in winter", "2026-01-05T06:59:59.999Z", "2026-01-05T07:00:00.000Z"],
    ["at the hour itself, the next day", "2026-01-05T07:00:00.000Z", "2026-01-06T07:00:00.000Z"],
    ["in summer", "2026-07-01T05:00:00.000Z", "2026-07-01T06:00:00.000Z"],
    ["over the night in which clocks are put forward", "2026-03-28T12:00:00.000Z", "2026-03-29T06:00:00.000Z"],
    ["over the night in which clocks are put back", "2026-10-24T12:00:00.000Z", "2026-10-25T07:00:00.000Z"],
  ])("daily, %s", (_, now, expected) => {
    expect(shown(mailMoment(inBerlin, "waiting", at(now)))).toBe(expected);
  });

  it("daily on working days alone, where there are working hours", () => {
    const friday = at("2026-01-09T12:00:00.000Z");
    expect(shown(mailMoment({ ...inBerlin, workingHours: office }, "waiting", friday))).toBe(
      "2026-01-12T07:00:00.000Z",
    );
  });

  it("at once within working hours, and else when they begin, but for what is urgent", () => {
    const preferences = { ...inBerlin, workingHours: office };
    const [morning, evening] = [at("2026-01-09T08:00:00.000Z"), at("2026-01-09T16:00:00.000Z")];
    expect(mailMoment(preferences, "overdue", morning)).toBe(morning);
    expect(shown(mailMoment(preferences, "overdue", evening))).toBe("2026-01-12T08:00:00.000Z");
    expect(mailMoment(preferences, "halt", evening)).toBe(evening);
    expect(mailMoment({ ...preferences, mail: { ...daily, halt: "off" } }, "halt", evening)).toBeUndefined();
  });

  it("at an hour that a clock skips: when it would have been, and at the first of two", () => {
    const skipped = dayAt("Europe/Berlin", at("2026-03-29T00:00:00.000Z"));
    expect(shown(momentOf("Europe/Berlin", skipped, 2))).toBe("2026-03-29T01:00:00.000Z");
    const twice = dayAt("Europe/Berlin", at("2026-10-25T00:00:00.000Z"));
    expect(shown(momentOf("Europe/Berlin", twice, 2))).toBe("2026-10-25T00:00:00.000Z");
  });

  it("within two days, never before, and at the hour that the person's clock shows, in any zone at any time", () => {
    const zones = Intl.supportedValuesOf("timeZone");
    const moments = fc.integer({ min: at("1990-01-01"), max: at("2040-01-01") });
    fc.assert(
      fc.property(fc.constantFrom(...zones), moments, fc.integer({ min: 0, max: 23 }), (timeZone, now, digestHour) => {
        const moment = mailMoment({ ...inBerlin, timeZone, digestHour }, "waiting", now) as number;
        expect(moment).toBeGreaterThan(now);
        expect(moment - now).toBeLessThanOrEqual(hoursMs(50));
        const hour = new Date(shownAt(timeZone, moment)).getUTCHours();
        // Some nights skip an hour or two, and one day of Samoa was skipped as a whole.
        expect((hour - digestHour + 24) % 24).toBeLessThanOrEqual(2);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a time zone", () => {
  it("is one of the IANA database", () => {
    expect(["Europe/Berlin", "UTC", "America/Argentina/Buenos_Aires"].map(isTimeZone)).toEqual([true, true, true]);
    expect(["Berlin", "+02:00", "", "Europe/Berlin\n"].map(isTimeZone)).toEqual([false, false, false, false]);
  });
});
