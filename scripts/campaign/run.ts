// Runs `npm run campaign`: kills, restarts and races, or with `mutants` known mistakes that tests must see.
import { randomInt } from "node:crypto";
import { runFaults } from "./faults.js";
import { runMutants } from "./mutation.js";
import { planOf } from "./plan.js";

const plan = planOf(process.argv.slice(2), () => randomInt(1_000_000));
const isWell = plan.kind === "mutants" ? await runMutants(plan.parts) : await runFaults(plan);
// Vitest has set it for every test that failed as expected.
process.exitCode = isWell ? 0 : 1;
