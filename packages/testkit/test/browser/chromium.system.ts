import { realSystem } from "@reeve/testkit/programs";

export const chromium = realSystem({
  name: "Chromium",
  kind: "Browsers",
  source: { debian: "chromium", version: "newest" },
  tests: ["packages/testkit/test/browser/browser.test.ts", "packages/console/test/estate/estate.test.ts"],
  tried: [
    "lets a page pass that does nothing wrong, by keyboard and by axe",
    "requests a review by keyboard alone, with the version on the screen",
  ],
  mustSet: [],
  unknown: [],
});
