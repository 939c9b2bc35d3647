import { describeHost } from "./matrix/suite.js";

describeHost("Express 4");
