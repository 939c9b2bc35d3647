export { describeGoldenRun, goldenRun } from "./golden-run.js";
