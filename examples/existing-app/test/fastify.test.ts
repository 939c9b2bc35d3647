import { describeHost } from "./matrix/suite.js";

// Hooks on requests are around every plugin; compression looks at routes as they are registered.
describeHost("Fastify", { cors: true, helmet: true, compression: false });
