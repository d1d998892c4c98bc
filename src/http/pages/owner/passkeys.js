// Makes and uses passkeys where the browser can. The page works without this file, and nothing else on it needs one.
"use strict";

function bytesOf(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

function textOf(buffer) {
  const plain = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fill(form, values) {
  for (const [name, value] of Object.entries(values)) form.elements.namedItem(name).value = value;
}

async function use(form) {
  const { id, response } = await navigator.credentials.get({
    publicKey: {
      challenge: new TextEncoder().encode(form.elements.namedItem("challenge").value),
      rpId: form.dataset.host,
      userVerification: "required",
    },
  });
  fill(form, {
    id,
    client: textOf(response.clientDataJSON),
    authenticator: textOf(response.authenticatorData),
    signature: textOf(response.signature),
  });
}

async function make(form) {
  const { id, response } = await navigator.credentials.create({
    publicKey: {
      challenge: new TextEncoder().encode(form.elements.namedItem("challenge").value),
      rp: { id: form.dataset.host, name: "silverbridge" },
      user: {
        id: new TextEncoder().encode("owner"),
        name: `owner of ${form.dataset.host}`,
        displayName: `Owner of ${form.dataset.host}`,
      },
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: "public-key", alg })),
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      attestation: "none",
      excludeCredentials: form.dataset.known.split(" ").filter((known) => known !== "")
        .map((known) => ({ type: "public-key", id: bytesOf(known) })),
    },
  });
  fill(form, {
    id,
    client: textOf(response.clientDataJSON),
    authenticator: textOf(response.getAuthenticatorData()),
    public_key: textOf(response.getPublicKey()),
    algorithm: String(response.getPublicKeyAlgorithm()),
  });
}

function enhance(form, work) {
  if (form === null) return;
  let isFilled = false;
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    if (isFilled) return;
    event.preventDefault();
    const said = form.querySelector("output");
    said.textContent = "";
    try {
      await work(form);
      isFilled = true;
      form.requestSubmit(event.submitter);
    } catch (error) {
      said.textContent = error.name === "InvalidStateError"
        ? "There is a passkey for this page already."
        : "No passkey came: it was cancelled, took too long, or there is none for this page.";
    }
  });
}

if ("PublicKeyCredential" in globalThis) {
  enhance(document.querySelector("#use-passkey"), use);
  enhance(document.querySelector("#make-passkey"), make);
}
