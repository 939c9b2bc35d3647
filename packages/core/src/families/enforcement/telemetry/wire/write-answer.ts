import { Raw } from "#kernel/records/outcome.js";
import { PROTOBUF } from "./export-form.js";
import { ANSWERS, type Signal } from "./message-fields.js";
import { loadProtobuf } from "./read-protobuf.js";

/** What of an export was not counted, in words for whoever runs the exporter. */
export interface Rejection {
  readonly rejected: number;
  readonly message: string;
}

/** Writes answers in the media type of the request. It is made before the transaction, which waits for no module. */
export async function answerWriter(signal: Signal, media: string): Promise<(rejection: Rejection) => Raw> {
  if (media !== PROTOBUF) return (rejection) => new Raw(jsonAnswer(signal, rejection), "application/json");
  const { PbfWriter } = await loadProtobuf();
  return ({ rejected, message }) => {
    const writer = new PbfWriter();
    if (message !== "")
      writer.writeMessage(
        1,
        (_, inner) => {
          if (rejected > 0) inner.writeVarintField(1, rejected);
          inner.writeStringField(2, message);
        },
        undefined,
      );
    return new Raw(Uint8Array.from(writer.finish()), PROTOBUF);
  };
}

/** 64-bit integers are texts in the JSON of protobuf. */
function jsonAnswer(signal: Signal, { rejected, message }: Rejection): string {
  if (message === "") return "{}";
  return JSON.stringify({ partialSuccess: { [ANSWERS[signal]]: String(rejected), errorMessage: message } });
}
