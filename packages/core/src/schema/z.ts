import * as z from "./makers.js";

export { z };
