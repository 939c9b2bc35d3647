export { STANDINGS } from "./assessments/assessment-standing.js";
export { type Assessed, assessmentsOf, NO_STANDINGS, type Standings, standingsOf } from "./assessments/queries.js";
export { assessments } from "./assessments/schema.js";
