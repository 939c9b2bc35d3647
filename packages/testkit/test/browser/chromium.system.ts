import { realSystem } from "@reeve/testkit/programs";

export const chromium = realSystem({
  name: "Chromium",
  kind: "Browsers",
  source: { debian: "chromium", version: "newest" },
  tests: [
    "packages/testkit/test/browser/browser.test.ts",
    "packages/console/test/estate/estate.test.ts",
    "packages/console/test/stop/stop.test.ts",
  ],
  tried: [
    "lets a page pass that does nothing wrong, by keyboard and by axe",
    "halts the agents of a team by three touches at 360 pixels, and shows it",
    "requests a review by keyboard alone, with the version on the screen",
  ],
  mustSet: [],
  unknown: [],
});
