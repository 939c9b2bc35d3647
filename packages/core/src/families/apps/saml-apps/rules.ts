import { z } from "#schema/z.js";

/** The path parameter of an application. */
export const AppPath = z.object({
  appInstanceId: z.string().meta({ description: "Id of the application.", example: "sapp_01JD3Z6T5W8Y9X7V4R2Q1P0N6M" }),
});
