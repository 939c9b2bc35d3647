import { writeFileSync } from "node:fs";
import { PINS, pinsOf } from "./lib/migration-checksums.js";
import { root, say } from "./lib/workspace.mjs";

const pins = pinsOf();
writeFileSync(`${root}/${PINS}`, `${JSON.stringify(pins, null, 2)}\n`);
say(`${PINS}: ${pins.length} pinned`);
