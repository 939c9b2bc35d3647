import type { Page, Request, Route } from "playwright-core";

/** Requests of a page that a test holds back at will. */
export interface Gate {
  readonly requests: readonly Request[];
  /** Holds the request of this number, counted from one, and each behind it. */
  holdFrom(number: number): void;
  /** Lets all of them go that are held. */
  release(): void;
}

/** Watches the requests to an address. `pass` sends one on; by default as it is. */
export async function gate(
  page: Page,
  address: string,
  pass: (route: Route, number: number) => Promise<void> = (route) => route.continue(),
): Promise<Gate> {
  const requests: Request[] = [];
  let least = Number.POSITIVE_INFINITY;
  let waiting: (() => void)[] = [];
  await page.route(address, async (route) => {
    const number = requests.push(route.request());
    if (number >= least) await new Promise<void>((resolve) => waiting.push(resolve));
    // The page may have been left meanwhile.
    await pass(route, number).catch(() => undefined);
  });
  return {
    requests,
    holdFrom(number) {
      least = number;
    },
    release() {
      least = Number.POSITIVE_INFINITY;
      for (const go of waiting) go();
      waiting = [];
    },
  };
}

/** Sends a request on for a few events only, so that a short chain has many parts. */
export const inParts = (events: number) => (route: Route) =>
  route.continue({ url: `${route.request().url()}${route.request().url().includes("?") ? "&" : "?"}limit=${events}` });
