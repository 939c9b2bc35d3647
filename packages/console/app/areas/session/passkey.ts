import { client, type components } from "../../api/client.js";

/** The part of a browser that reads the requests for passkeys from JSON. */
interface JsonCredentials {
  parseCreationOptionsFromJSON?(options: object): PublicKeyCredentialCreationOptions;
  parseRequestOptionsFromJSON?(options: object): PublicKeyCredentialRequestOptions;
}
type Given = (Credential & { toJSON(): unknown }) | null;
/** The answer of a browser, as the API takes it. */
export type PasskeyMessage = components["schemas"]["PasskeyConfirmation"]["passkey"];

const browser = () => (globalThis as { readonly PublicKeyCredential?: JsonCredentials }).PublicKeyCredential ?? {};

/** Whether this browser can make and use passkeys for the page. */
export const takesPasskeys = () => browser().parseCreationOptionsFromJSON !== undefined;

const unable = () => new TypeError("this browser takes no passkeys");

/** Makes a passkey in the browser and adds it. Gives recovery codes where it is the first factor. */
export async function makePasskey() {
  const { data: begun } = await client.POST("/api/v1/auth/factors/passkeys", { body: {} });
  const publicKey = browser().parseCreationOptionsFromJSON?.(begun.options as object);
  if (!publicKey) throw unable();
  const made = (await navigator.credentials.create({ publicKey })) as Given;
  const passkey = made?.toJSON() as PasskeyMessage;
  return (await client.POST("/api/v1/auth/factors/passkeys/confirm", { body: { passkey } })).data;
}

/** Lets a passkey sign what the server asks. */
export async function askPasskey(asked: object): Promise<PasskeyMessage> {
  const publicKey = browser().parseRequestOptionsFromJSON?.(asked);
  if (!publicKey) throw unable();
  const given = (await navigator.credentials.get({ publicKey })) as Given;
  return given?.toJSON() as PasskeyMessage;
}
