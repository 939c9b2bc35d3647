import axe from "axe-core";
import type { Page } from "playwright-core";

/** The rules of WCAG 2.2 on levels A and AA, and what axe holds for good practice. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/** What only colours decide, which is all that differs in the dark. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** Throws with what axe finds on the page: by all rules in light, and by those of colours in dark. The page is left in light. */
export async function expectAccessible(page: Page): Promise<void> {
  const faults: string[] = [];
  const runs = [
    ["dark", { type: "rule", values: OF_COLOURS }],
    ["light", { type: "tag", values: TAGS }],
  ] as const;
  for (const [colorScheme, runOnly] of runs) {
    await page.emulateMedia({ colorScheme });
    for (const { id, help, nodes } of await findings(page, runOnly)) {
      const where = nodes.slice(0, 5).map(({ target, failureSummary }) => `  ${target.join(" ")}: ${failureSummary}`);
      faults.push(`${colorScheme}: ${id}: ${help} (${nodes.length})`, ...where);
    }
  }
  if (faults.length > 0) throw new Error(`axe finds on ${page.url()}:\n${faults.join("\n")}`);
}

async function findings(page: Page, runOnly: object): Promise<readonly Finding[]> {
  await page.evaluate(`if (!globalThis.axe) { ${axe.source} }`);
  const options = JSON.stringify({ runOnly, resultTypes: ["violations"] });
  const { violations } = await page.evaluate<{ violations: Finding[] }>(`axe.run(document, ${options})`);
  return violations;
}
