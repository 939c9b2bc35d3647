import type { Call } from "./call.js";
import type { Answer } from "./exchange.js";
import { asFailure, failed } from "./failure.js";

/**
 * The body of an answer as a stream with backpressure. It fails with `connector_error` beyond `maxBytes` or when the
 * connection breaks off, or with the reason why the call ended. Its end ends the call.
 */
export function bodyStream({ message }: Answer, maxBytes: number, call: Call): ReadableStream<Uint8Array> {
  const chunks = message[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  let size = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (done) {
            call.ended();
            controller.close();
            return;
          }
          size += value.byteLength;
          if (size > maxBytes) throw failed("too_large");
          controller.enqueue(value);
        } catch (error) {
          throw call.ended(asFailure(error, "broken_off"));
        }
      },
      cancel: () => {
        call.ended();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Reads a whole body. */
export async function collect(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
