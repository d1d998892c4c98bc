/** `/register` (RFC 7591): open to everybody, since registering alone opens nothing. */

import type { Clock } from "../core/clock.ts";
import { createLimiter, type Limiter } from "../core/limiter.ts";
import type { WireReason } from "./reasons.ts";
import { register, type Registration } from "./registration.ts";
import type { SignInAudit } from "./sign_in_audit.ts";
import type { WireCall } from "./token_endpoint.ts";
import { refusalResponse, wireResponse } from "./wire_response.ts";

export interface RegisterEndpointOptions {
  readonly enabled: boolean;
  readonly clock: Clock;
  readonly audit: SignInAudit;
}

/** Clients register at every start and twice for one connection; this is far above what they do. */
const perSourceAMinute = 60;

export class RegisterEndpoint {
  readonly #options: RegisterEndpointOptions;
  readonly #limiter: Limiter;

  constructor(options: RegisterEndpointOptions) {
    this.#options = options;
    this.#limiter = createLimiter({ perMinute: perSourceAMinute, maxKeys: 4096, clock: options.clock });
  }

  answer(call: WireCall): Response {
    const outcome = this.#register(call);
    const { address: source, requestId } = call;
    if (typeof outcome === "string") {
      this.#options.audit({ action: "register", outcome, source, requestId });
      return refusalResponse(outcome);
    }
    const { clientId, name: client, body } = outcome;
    this.#options.audit({ action: "register", outcome: "ok", client, clientId, source, requestId });
    return wireResponse(201, body);
  }

  #register({ body, address }: WireCall): Registration | WireReason {
    if (!this.#options.enabled) return "registration_off";
    if (this.#limiter.take(address) > 0) return "registration_busy";
    return register(body, this.#options.clock.now());
  }
}
