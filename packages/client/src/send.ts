/** Sends one request. */
export type Send = (request: Request) => Promise<Response>;

/** Sends a request, as `fetch` does. `undefined` where nobody answers, as `fetch` of a control plane gives for other paths. */
export type Fetch = (request: Request) => Promise<Response | undefined>;

/** Nobody answers at this address, which sending again does not change. */
export class NobodyAnswers extends Error {
  constructor({ method, url }: Request) {
    super(
      `fetch gave no answer for ${method} ${new URL(url).pathname}. In process, does the option prefix of controlPlane.fetch have the path of baseUrl?`,
    );
    this.name = "NobodyAnswers";
  }
}

/** Rejects with `NobodyAnswers` where `fetch` gives no answer. */
export function answered(fetch: Fetch): Send {
  return async (request) => {
    const answer = await fetch(request);
    if (!answer) throw new NobodyAnswers(request);
    return answer;
  };
}
