import { type KnownFacts, type Link, linksOf } from "./facts.js";

/** How each reachable id is behind the start, in words. The start itself has an empty text. */
export type Paths = ReadonlyMap<string, string>;

/** Everybody behind `start`, by as few steps as possible. Cycles end. */
export function behind(start: string, known: KnownFacts, follows: (link: Link) => boolean = () => true): Paths {
  const paths = new Map([[start, ""]]);
  for (const [id, path] of paths) {
    for (const link of linksOf(known.get(id))) {
      if (!follows(link) || paths.has(link.to)) continue;
      paths.set(link.to, `${path === "" ? id : `${path}, which`} ${link.how} ${link.to}`);
    }
  }
  return paths;
}

/** Everybody who can act as `start`, itself included. */
export function actorsOf(start: string, known: KnownFacts): Paths {
  return behind(start, known, ({ acts }) => acts);
}

/** Everybody that a machine or an earlier id stands for, itself included. Of an account that is the account alone. */
export function standsFor(start: string, known: KnownFacts): Paths {
  const paths = new Map([[start, ""]]);
  for (const [id, path] of paths) {
    const facts = known.get(id);
    if (!facts || facts.kind === "account") continue;
    for (const link of linksOf(facts)) {
      if (!paths.has(link.to)) paths.set(link.to, `${path === "" ? id : `${path}, which`} ${link.how} ${link.to}`);
    }
  }
  return paths;
}
