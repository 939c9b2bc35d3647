export { LIVED, type LivingClock, livingClock } from "./clock.js";
export { type LivingEstate, livingEstate, livingPlane } from "./living-estate.js";
export { type Acting, ORGANIZATION, type Person, type Staff, type StaffName } from "./people.js";
