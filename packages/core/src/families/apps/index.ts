export { signOnConnector } from "./assignments/governed-connector.js";
