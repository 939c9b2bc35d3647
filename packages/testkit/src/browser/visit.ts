import type { Browser, BrowserContextOptions } from "playwright-core";
import { type Journey, journey } from "./journey.js";
import { byKeyboard, type Keyboard } from "./keyboard.js";

/** The widths that pages are tried at, in CSS pixels: a small phone and a laptop. */
export const WIDTHS = { phone: 360, laptop: 1280 } as const;

export interface VisitOptions {
  /** Where the server listens, as in `http://127.0.0.1:8080`. */
  readonly origin: string;
  readonly width?: keyof typeof WIDTHS;
  readonly colorScheme?: "light" | "dark";
  /** Other origins that the journey leads to, as that of a provider to sign in at. Pages of ours ask nothing of them. */
  readonly leadsTo?: readonly string[];
  /** More settings of Playwright's context, such as a locale or a state of cookies. */
  readonly context?: BrowserContextOptions;
}

export interface Visitor extends Journey {
  readonly keyboard: Keyboard;
}

/**
 * One person's visit in a context of its own. Throws what `steps` throws, or the faults of the journey. The page is
 * English, in the zone Europe/Berlin, and closed at the end.
 */
export async function visit<T>(
  browser: Browser,
  { origin, width = "laptop", colorScheme = "light", leadsTo = [], context: more }: VisitOptions,
  steps: (visitor: Visitor) => Promise<T>,
): Promise<T> {
  const isPhone = width === "phone";
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: WIDTHS[width], height: isPhone ? 740 : 900 },
    hasTouch: isPhone,
    colorScheme,
    // Nothing moves while it is looked at.
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    serviceWorkers: "block",
    ...more,
  });
  // A machine that does much else is slow, and no test is about time.
  context.setDefaultTimeout(60_000);
  try {
    const page = await context.newPage();
    const journeyed = await journey(page, new URL(origin).origin, leadsTo);
    const done = await steps({ ...journeyed, keyboard: byKeyboard(page) }).catch((error: unknown) => {
      throw journeyed.faults.length === 0
        ? error
        : new AggregateError([error], `${error}\n${journeyed.faults.join("\n")}`);
    });
    journeyed.expectClean();
    return done;
  } finally {
    await context.close();
  }
}
