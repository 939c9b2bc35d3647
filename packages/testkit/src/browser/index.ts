export { expectAccessible } from "./accessible.js";
export { CHROMIUM, type RunningChromium, startChromium } from "./chromium.js";
export { type Journey, journey } from "./journey.js";
export { byKeyboard, type Keyboard } from "./keyboard.js";
export { type VisitOptions, type Visitor, visit, WIDTHS } from "./visit.js";
