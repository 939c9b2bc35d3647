export { bindSignOn, signOnConnector } from "./assignments/governed-connector.js";
