import type { Page } from "playwright-core";

/** Texts that strangers write: markup, controls that turn the order, very long ones with and without spaces, four languages. */
export const HOSTILE = [
  `<img src="x" onerror="globalThis.hit = 1"><script>globalThis.hit = 1</script>`,
  "invoice\u202egnp.exe and \u2066isolated\u2069 with a zero\u200bwidth space",
  `"><svg onload=globalThis.hit=1></svg> {{constructor}} \${7*7} javascript:globalThis.hit=1`,
  "W".repeat(300),
  `${"a very long text that goes on ".repeat(40)}`,
  "مساعد المطالبات، الإصدار الثاني",
  "保険金請求の仕分けをする代理人",
  "दावा सहायक, दूसरा संस्करण",
  "Ζεῦς ὃς καὶ Ἀγαμέμνων \u0000 \u0007 e\u0301\u0301\u0301\u0301",
  "\n\n\ttabs and lines\r\n",
];

/** Members of answers that hold what people and other systems wrote. */
const WRITTEN = new Set([
  ...["name", "title", "description", "purpose", "reason", "message", "displayName", "label", "detail", "note", "text"],
  ...[
    "justification",
    "compensatingControls",
    "conclusion",
    "content",
    "guidance",
    "remediation",
    "rationale",
    "terms",
  ],
  ...["friendlyName", "username", "userAgent", "approvalReason", "decisionReason", "endReason", "organization"],
  ...["assetName", "policyName", "toolName", "toolDescription", "resourceName", "profileName", "certificationName"],
  ...["provider", "region", "family", "publisher", "edition", "tags", "externalId", "instructions", "summary"],
  ...["team", "clientVersion", "platform", "revocationReason", "notControlled"],
  ...["tool", "teams", "shown"],
]);

/** Replaces what was written by hostile texts, and counts. Names of members are hostile too where people choose them. */
export class Defacer {
  replaced = 0;

  #next(): string {
    return HOSTILE[this.replaced++ % HOSTILE.length] as string;
  }

  deface(value: unknown, key = ""): unknown {
    if (typeof value === "string") return WRITTEN.has(key) ? this.#next() : value;
    if (Array.isArray(value)) return value.map((item) => this.deface(item, key));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value);
    if (key === "labels" || key === "metadata" || key === "attributes")
      return Object.fromEntries([...entries.map(([name]) => [name, this.#next()]), [this.#next(), this.#next()]]);
    return Object.fromEntries(entries.map(([name, of]) => [name, this.deface(of, name)]));
  }
}

/** Has every answer of the API reach the page with hostile texts. Problem documents and streams are left as they are. */
export async function defaceAnswers(page: Page): Promise<Defacer> {
  const defacer = new Defacer();
  await page.route(/\/api\/v1\/(?!ai\/activity-stream)/, async (route) => {
    if (route.request().method() !== "GET") return route.continue();
    // A connection that the server ends while it is idle may be taken up once more.
    const response = await route.fetch({ maxRetries: 3 }).catch(() => undefined);
    // The page has been left.
    if (!response) return;
    const isRecord = response.ok() && (response.headers()["content-type"] ?? "").startsWith("application/json");
    if (!isRecord) return route.fulfill({ response });
    await route.fulfill({ response, json: defacer.deface(await response.json()) }).catch(() => undefined);
  });
  return defacer;
}
