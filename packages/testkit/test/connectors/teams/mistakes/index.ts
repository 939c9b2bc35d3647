import { accessMistakes } from "./access.js";
import { connectionMistakes } from "./connection.js";
import { failureMistakes } from "./failures.js";
import { listingMistakes } from "./listings.js";
import type { Mistake } from "./mistake.js";
import { otherMistakes } from "./others.js";

export const MISTAKES: readonly Mistake[] = [
  ...connectionMistakes,
  ...listingMistakes,
  ...accessMistakes,
  ...otherMistakes,
  ...failureMistakes,
];
