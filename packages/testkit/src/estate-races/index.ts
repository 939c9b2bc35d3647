export { describeEstateRaces } from "./estate-races.js";
