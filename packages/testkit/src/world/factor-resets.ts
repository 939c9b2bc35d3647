import type { Sample } from "./sample.js";
import type { Scene } from "./scene.js";

const reason = "because a test wants it so";

/** Asks for the second factors of a new user to be removed. Returns the id of the request. */
export async function newFactorReset(scene: Scene): Promise<string> {
  const { userId } = await scene.newUser([]);
  const body = { userId, reason: `because of ${scene.unique()}` };
  const asked = await scene.send("POST", "/api/v1/second-factor-resets", { token: scene.owner.token, body });
  if (asked.status !== 201) throw new Error(asked.text);
  return asked.json.id;
}

const aReset = async (scene: Scene) => ({ id: await newFactorReset(scene) });

export const factorSamples = {
  "secondFactors.read": {},
  "secondFactors.beginOneTimePassword": {},
  // Whoever has a factor signs in otherwise from then on.
  "secondFactors.confirmOneTimePassword": { elsewhere: 400, body: () => ({ code: "492039" }) },
  "secondFactors.removeOneTimePassword": { elsewhere: 404 },
  "secondFactors.renewRecoveryCodes": { elsewhere: 404 },
  "secondFactors.beginPasskey": { body: () => ({ name: "Key" }) },
  "secondFactors.confirmPasskey": { elsewhere: 400, body: () => ({ passkey: { id: "AQID", response: {} } }) },
  "secondFactors.removePasskey": { elsewhere: 404 },
  "secondFactors.challenge": {},
  "secondFactors.prove": { elsewhere: 400, body: () => ({ code: "492039" }) },
  "secondFactors.enrol": { elsewhere: 401, body: () => ({ challenge: "of a sign-in", method: "totp" }) },
  "secondFactorResets.list": {},
  "secondFactorResets.read": { arrange: aReset },
  "secondFactorResets.create": {
    arrange: async (scene) => {
      scene.picked = (await scene.newUser([])).userId;
      return {};
    },
    body: ({ picked }) => ({ userId: picked, reason }),
  },
  // Who asks for it does not approve it.
  "secondFactorResets.decide": { arrange: aReset, body: () => ({ decision: "decline", reason }) },
} satisfies Record<string, Sample>;
