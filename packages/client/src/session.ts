/** Gives the bearer token of each request, and the next one when the service refuses it. */
export interface Session {
  token(): Promise<string | undefined>;
  /** The token to send instead of a refused one; the same one or `undefined` where there is no other. */
  renewed(refused: string | undefined): Promise<string | undefined>;
}

/** A bearer token, or a function that gives the one to use now. */
export type TokenSource = string | (() => string | Promise<string>);

/** A token of the caller's own; a function is asked at each request, and once more when its token is refused. */
export function givenToken(source: TokenSource | undefined): Session {
  const token = async () => (typeof source === "function" ? source() : source);
  return { token, renewed: token };
}

/** Tokens taken from the service with the first request, and again when one is refused. */
export function takenTokens(take: () => Promise<string>): Session {
  let current: Promise<string> | undefined;
  const next = () => {
    const taken = take();
    current = taken;
    taken.catch(() => {
      if (current === taken) current = undefined;
    });
    return taken;
  };
  const token = () => current ?? next();
  return {
    token,
    // Of several requests with one refused token, the first takes the next one for all.
    async renewed(refused) {
      const held = current;
      const latest = await token();
      if (latest !== refused) return latest;
      return current === held ? next() : token();
    },
  };
}
