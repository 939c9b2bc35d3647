// The Merkle trees of Reeve's checkpoints, as docs/guides/event-chain.md defines them.

import { DEPTH, EMPTY, leafHash, nodeHash, positionOf, sideOf } from "./verify-chain.mjs";

/** @param {unknown} value @returns {value is string[]} */
export const isHashes = (value) =>
  Array.isArray(value) && value.every((one) => typeof one === "string" && /^[\da-f]{64}$/.test(one));
/** @param {unknown} value @returns {value is number} */
export const isPlace = (value) => Number.isSafeInteger(value) && /** @type {number} */ (value) >= 0;
/** Whether they are entries of events in their order. @param {unknown} value @param {number} from @param {number} to @returns {value is [number, string][]} */
export const isEntries = (value, from, to) =>
  Array.isArray(value) &&
  value.every((entry, at) => {
    const [sequence, text] = Array.isArray(entry) ? entry : [];
    return (
      isPlace(sequence) &&
      isHashes([text]) &&
      sequence >= from &&
      sequence <= to &&
      (at === 0 || sequence > value[at - 1][0])
    );
  });

/** The root that a leaf and the hashes beside its path lead to (RFC 9162). @param {Buffer} leaf @param {number} place @param {number} size @param {unknown} path */
export function rootOf(leaf, place, size, path) {
  if (!isHashes(path) || place >= size) return null;
  const beside = [...path];
  let root = leaf;
  for (let [at, width] = [place, size]; width > 1; at = at >> 1, width = (width + 1) >> 1) {
    if (at % 2 === 0 && at + 1 === width) continue;
    const other = beside.shift();
    if (other === undefined) return null;
    root = at % 2 === 0 ? nodeHash(root, Buffer.from(other, "hex")) : nodeHash(Buffer.from(other, "hex"), root);
  }
  return beside.length === 0 ? root.toString("hex") : null;
}

/** The root that the list of a key leads to. @param {Readonly<Record<string, unknown>>} proof @param {string} headHash */
export function rootOfIndex({ key, entries, blind, path }, headHash) {
  if (!Array.isArray(path) || path.length > DEPTH || !isHashes(path.filter((beside) => beside !== null))) return null;
  const position = positionOf(headHash, String(key));
  const lines = /** @type {[number, string][]} */ (entries).map(
    ([sequence, entry]) => `${String(sequence).padStart(12, "0")} ${entry}`,
  );
  const isThere = lines.length > 0;
  // A blind of another form could hold an entry.
  if (isThere && !isHashes([blind])) return null;
  let node = isThere ? leafHash(Buffer.from([position.toString("hex"), blind, ...lines].join("\n"))) : EMPTY;
  for (let depth = (isThere ? DEPTH : path.length) - 1; depth >= 0; depth--) {
    const beside = path[depth] ? Buffer.from(path[depth], "hex") : EMPTY;
    node = sideOf(position, depth) === 1 ? nodeHash(beside, node) : nodeHash(node, beside);
  }
  return node.toString("hex");
}
