import type { OwnEvents } from "../events.js";

export const identityEvents: OwnEvents = {
  "user.signed_in":
    "A user exchanged a password for a token, or came from an OpenID provider. `data` names the token by its id, never by its text, and the second factor that was proven; of a provider also issuer, subject and the roles that it told.",
  "user.sign_in_failed":
    "Somebody gave a wrong password or code for a user. `data.address` is the network of the peer. At most five a user and a hundred a tenant in 15 minutes; the logger is told of each.",
  "user.second_factor_changed":
    "A second factor of a user was begun, added or removed, or new recovery codes were made: `data.change` and `data.kind`.",
  "user.password_changed":
    "A user set a password, by the current one or by a mailed link; every earlier token of the user died.",
  "user.password_link_issued":
    "A user is owed a mail with a link to set a password. `data.purpose` is `invitation` or `reset`; the link itself is in no event.",
  "user.identity_linked":
    "A subject of a trusted issuer came for the first time and was linked to the user of its verified address. `data` names issuer and subject.",
  "one_time_code.issued":
    "A code was made for an address, in the platform's own stream. The subject is a keyed hash of the address.",
  "one_time_code.redeemed": "The code was given back in time: the address is proven. Same stream and subject.",
  "client.signed_in":
    "An AI identity was given a token: `data` names the token by its id, and for a token exchange the issuer and subject.",
  "user.token_refreshed": "A refresh token was exchanged. `data` names the new access token by its id.",
  "user.refresh_token_reused":
    "A spent refresh token was presented again; every token of its sign-in died. `outcome` is `denied`.",
  "session.ended": "A principal signed out; the token presented, and the sign-in it came from, died.",
  "token.revoked": "A token was revoked by showing it: an access token (`tokenId`) or a whole sign-in (`familyId`).",
  "platform.restored":
    "A backup was restored; in the platform's own stream. Tokens, codes, links and assertions from before are ended.",
  "signing_key.rotated":
    "Another key signs access tokens; in the platform's own stream. `overlap` is false for a key that leaked.",
};
