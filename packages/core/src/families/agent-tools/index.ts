export { assertionConnector } from "./assertions/governed-connector.js";
