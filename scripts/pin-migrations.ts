// Freezes migrations: the tables of migration 1 as the collections declare them until the first release, and checksums.
import { writeFileSync } from "node:fs";
import { migrations } from "../packages/store-sql/src/index.js";
import { freezeTables, isReleased, TABLES } from "./lib/freeze-tables.js";
import { PINS, pinsOf } from "./lib/migration-checksums.js";
import { root, say } from "./lib/workspace.mjs";

const [foundation, ...later] = migrations;
if (!foundation) throw new Error("there is no migration");
const tables = isReleased() ? foundation.tables : freezeTables();
say(`${TABLES}: ${tables.length} tables${isReleased() ? ", released and not touched" : ""}`);

const pins = pinsOf([{ ...foundation, tables }, ...later]);
writeFileSync(`${root}/${PINS}`, `${JSON.stringify(pins, null, 2)}\n`);
say(`${PINS}: ${pins.length} pinned`);
