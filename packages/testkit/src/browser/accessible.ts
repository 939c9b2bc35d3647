import axe from "axe-core";
import type { Page } from "playwright-core";

/** The rules of WCAG 2.2 on levels A and AA, and what axe holds for good practice. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/** Throws with what axe finds on the page, in light and in dark. The page is left in light. */
export async function expectAccessible(page: Page): Promise<void> {
  const faults: string[] = [];
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const { id, help, nodes } of await findings(page)) {
      const where = nodes.slice(0, 5).map(({ target, failureSummary }) => `  ${target.join(" ")}: ${failureSummary}`);
      faults.push(`${colorScheme}: ${id}: ${help} (${nodes.length})`, ...where);
    }
  }
  if (faults.length > 0) throw new Error(`axe finds on ${page.url()}:\n${faults.join("\n")}`);
}

async function findings(page: Page): Promise<readonly Finding[]> {
  await page.evaluate(`if (!globalThis.axe) { ${axe.source} }`);
  const options = JSON.stringify({ runOnly: { type: "tag", values: TAGS }, resultTypes: ["violations"] });
  const { violations } = await page.evaluate<{ violations: Finding[] }>(`axe.run(document, ${options})`);
  return violations;
}
