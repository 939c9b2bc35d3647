import { describeHost } from "./matrix/suite.js";

describeHost("Hono");
