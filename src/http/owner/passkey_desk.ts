/** Where the owner who is in makes passkeys and takes them away: a section of the page's part about the server. */

import type { Parameters } from "../../oauth/parameters.ts";
import type { OwnerDoor } from "../../oauth/owner_door.ts";
import type { Html } from "../../web/html.ts";
import { passkeySection } from "../pages/owner/passkey_forms.ts";
import type { SecretProblem } from "../pages/secret_field.ts";
import type { Done, OwnerVisit } from "./owner_part.ts";

export interface PasskeyDesk {
  /** `null` where no passkey can count for this server's address. */
  show(visit: OwnerVisit): Promise<Html | null>;
  /** What was done, or why not; `null` for a form of something else. */
  act(visit: OwnerVisit, fields: Parameters): Promise<Done | SecretProblem | null>;
}

export function createPasskeyDesk(door: OwnerDoor): PasskeyDesk {
  const { passkeys } = door;

  async function add(visit: OwnerVisit, fields: Parameters): Promise<Done | SecretProblem> {
    const { call, session } = visit;
    const typed = { secret: fields.text("secret"), unlockCode: fields.text("unlock") };
    const problem = await door.addPasskey(call, typed, {
      fields: {
        id: fields.text("id"),
        name: fields.text("name"),
        clientData: fields.text("client"),
        authenticatorData: fields.text("authenticator"),
        publicKey: fields.text("public_key"),
        algorithm: fields.text("algorithm"),
      },
      asked: { key: session, purpose: "add", challenge: fields.text("challenge") },
    });
    return problem ?? "passkey-added";
  }

  return {
    async show({ session, ticket, now }) {
      if (passkeys === null) return null;
      const challenge = passkeys.challenge({ key: session, purpose: "add" });
      const known = await passkeys.list();
      return passkeySection({ passkeys: known, host: passkeys.place.host, challenge, ticket, now });
    },
    async act(visit, fields) {
      const wanted = fields.one("do");
      if (wanted === "passkey-add") return await add(visit, fields);
      if (wanted !== "passkey-remove") return null;
      door.removePasskey(visit.call, fields.one("passkey") ?? "");
      return "passkey-removed";
    },
  };
}
