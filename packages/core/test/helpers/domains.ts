import type { Actor, Answer, Scene, World } from "@reeve/testkit";
import type { DnsServer } from "./dns-server.js";

export const DOMAIN = "/api/v1/tenant/domain";
export const HALF_MINUTE = 30_000;
export const HOUR = 3_600_000;

export const claim = (scene: Scene, domain: string, token = scene.owner.token): Promise<Answer> =>
  scene.send("PUT", `${DOMAIN}/alias`, { token, body: { name: domain } });

export const look = (scene: Scene, token = scene.owner.token): Promise<Answer> => scene.send("GET", DOMAIN, { token });

export const release = (scene: Scene): Promise<Answer> =>
  scene.send("DELETE", `${DOMAIN}/alias`, { token: scene.owner.token });

/** Signs in the owner again, after the token has expired. */
export async function renewOwner(scene: Scene): Promise<Actor> {
  const { userId, username, password } = scene.owner;
  scene.actors.owner = await scene.signIn(userId, { username, password });
  return scene.owner;
}

/** Claims a domain, publishes its record and runs the check. */
export async function prove({ dns, clock }: { dns: DnsServer; clock: World["clock"] }, scene: Scene, domain: string) {
  const { json } = await claim(scene, domain);
  dns.publish(json.verification.name, json.verification.value);
  clock.advance(HALF_MINUTE);
  const answer = await look(scene);
  if (answer.json.aliasStatus !== "active") throw new Error(answer.text);
  return json.verification as { name: string; value: string };
}
