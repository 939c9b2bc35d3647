import type { PasskeyEngine, PasskeyMessage, PasskeySite, StoredPasskey } from "@reeve/core";
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));
const known = (passkeys: readonly StoredPasskey[]) =>
  passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports: [...transports] }));

/** What both verifications expect. A passkey stands beside a password, so that touching it suffices. */
const expected = ({ id, origins }: PasskeySite, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: [...origins],
  expectedRPID: id,
  requireUserVerification: false,
});

/** What the library refuses by an exception, it does because the answer is not right. */
async function unlessRefused<T>(verify: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}

export const protocol: PasskeyEngine = {
  async creation({ id, name }, challenge, person, passkeys) {
    const options = await generateRegistrationOptions({
      rpID: id,
      rpName: name,
      userID: new Uint8Array(Buffer.from(person.id)),
      userName: person.username,
      userDisplayName: person.name,
      challenge: bytes(challenge),
      attestationType: "none",
      excludeCredentials: known(passkeys),
      authenticatorSelection: { residentKey: "discouraged", userVerification: "preferred" },
    });
    return options as unknown as PasskeyMessage;
  },
  created: (site, challenge, answer) =>
    unlessRefused(async () => {
      const response = answer as unknown as RegistrationResponseJSON;
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        ...expected(site, challenge),
        response,
      });
      if (!verified) return undefined;
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
      return { credentialId: id, publicKey: Buffer.from(publicKey).toString("base64url"), counter, transports };
    }),
  async request({ id }, challenge, passkeys) {
    const options = await generateAuthenticationOptions({
      rpID: id,
      challenge: bytes(challenge),
      allowCredentials: known(passkeys),
      userVerification: "preferred",
    });
    return options as unknown as PasskeyMessage;
  },
  signed: (site, challenge, answer, { credentialId, publicKey, counter }) =>
    unlessRefused(async () => {
      const response = answer as unknown as AuthenticationResponseJSON;
      const credential = { id: credentialId, publicKey: bytes(publicKey), counter };
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        ...expected(site, challenge),
        response,
        credential,
      });
      return verified && response.id === credentialId ? authenticationInfo.newCounter : undefined;
    }),
};
