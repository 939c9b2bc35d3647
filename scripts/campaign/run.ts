// Runs `npm run campaign`: known mistakes that tests must see, or with `faults` kills and restarts at random moments.
import { runFaults } from "./faults.js";
import { runMutants } from "./mutation.js";

const [kind, ...rest] = process.argv.slice(2);
const isWell = kind === "faults" ? await runFaults(rest) : await runMutants(process.argv.slice(2));
// Vitest has set it for every test that failed as expected.
process.exitCode = isWell ? 0 : 1;
