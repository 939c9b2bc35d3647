import type { ConsoleMessage, Page, Request } from "playwright-core";

/** What a page did that no page may do. */
export interface Journey {
  readonly page: Page;
  /** Answers of the API with this status are part of the journey from now on: browsers print each to the console. */
  expectStatus(...statuses: readonly number[]): void;
  /** Errors, warnings, violations of the content security policy and requests to other origins so far. */
  readonly faults: readonly string[];
  /** Throws with all faults so far. */
  expectClean(): void;
}

const REFUSED = /^Failed to load resource: the server responded with a status of (\d+)/;

/** Prints a violation of the policy that a browser enforces or reports without a word on the console. */
const PRINT_BREACHES = `document.addEventListener("securitypolicyviolation", (event) => {
  console.error("policy violated: " + event.effectiveDirective + " by " + event.blockedURI);
});`;

/**
 * Watches a page from before its first request: an error, a warning or an error on its console, a violation of its content
 * security policy, or a request to another origin is a fault.
 */
export async function journey(page: Page, origin: string, leadsTo: readonly string[] = []): Promise<Journey> {
  const faults: string[] = [];
  const expected = new Set<number>();
  await page.addInitScript(PRINT_BREACHES);
  page.on("pageerror", (error) => faults.push(`an error of the page: ${error.stack ?? error.message}`));
  page.on("crash", () => faults.push("the page crashed"));
  page.on("console", (message) => {
    if (isOfInterest(message, expected)) faults.push(`the console: ${message.type()}: ${message.text()}`);
  });
  // A service worker or a frame of the page asks by its context.
  page.context().on("request", (request) => {
    if (!isOwn(request, origin) && !isLed(request, leadsTo))
      faults.push(`a request to another origin: ${request.method()} ${request.url()}`);
  });
  return {
    page,
    faults,
    expectStatus(...statuses) {
      for (const status of statuses) expected.add(status);
    },
    expectClean() {
      if (faults.length > 0) throw new Error(`the journey has faults:\n${faults.join("\n")}`);
    },
  };
}

function isOfInterest(message: ConsoleMessage, expected: ReadonlySet<number>): boolean {
  if (!["warning", "error", "assert"].includes(message.type())) return false;
  const refused = REFUSED.exec(message.text());
  return !(refused && expected.has(Number(refused[1])));
}

/** Whether the page is led to one of these origins, or is there and asks it itself. */
function isLed(request: Request, origins: readonly string[]): boolean {
  const { origin } = new URL(request.url());
  if (!origins.includes(origin)) return false;
  return request.isNavigationRequest() || new URL(request.frame().url()).origin === origin;
}

function isOwn(request: Request, origin: string): boolean {
  const { protocol, origin: asked } = new URL(request.url());
  return asked === origin || protocol === "data:" || protocol === "blob:";
}
