// Passkeys: the one thing of these pages that needs a script. The parts of the
// page that need it are hidden until it runs.
const passkeys = globalThis.SimpleWebAuthnBrowser;

async function post(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (response.ok) return answer;
  throw Object.assign(new Error(answer.detail), { status: response.status });
}

function reveal(part) {
  part.hidden = false;
  const note = part.querySelector("[role=alert]");
  return function say(text) {
    note.textContent = text;
    note.hidden = text === "";
  };
}

/** The person closing the device's window is no error to speak of. */
function isCancelled(error) {
  return error.name === "NotAllowedError" || error.name === "AbortError";
}

let asked = Promise.resolve();

/** One after the other: the first answer sets the cookie of the second. */
function askToSignIn() {
  const ask = () => post("/passkeys/sign-in/options", {});
  asked = asked.then(ask, ask);
  return asked;
}

/** What the device says; null where it can't, and nobody had asked it to. */
async function answerOf(request) {
  try {
    return await passkeys.startAuthentication(request);
  } catch (error) {
    if (request.useBrowserAutofill) return null;
    throw error;
  }
}

async function signIn(part, useBrowserAutofill) {
  const optionsJSON = await askToSignIn();
  const response = await answerOf({ optionsJSON, useBrowserAutofill });
  if (response === null) return;
  const { next } = await post("/passkeys/sign-in", {
    response,
    next: part.dataset.next,
  });
  location.assign(next);
}

function offerSignIn(part) {
  const say = reveal(part);
  const attempt = async (useBrowserAutofill) => {
    try {
      await signIn(part, useBrowserAutofill);
    } catch (error) {
      if (isCancelled(error)) return;
      say(
        error.status === undefined
          ? "This device could not use a passkey."
          : error.message,
      );
    }
  };
  part.querySelector("button").addEventListener("click", () => {
    say("");
    attempt(false);
  });
  passkeys.browserSupportsWebAuthnAutofill().then((supported) => {
    if (supported) attempt(true);
  });
}

async function add(part) {
  // Another account may have signed in, in a second tab.
  const optionsJSON = await post("/passkeys/options", {
    shown_to: part.dataset.shownTo,
  });
  const response = await passkeys.startRegistration({ optionsJSON });
  const { next } = await post("/passkeys", { response });
  location.assign(next);
}

function offerAdding(part) {
  const say = reveal(part);
  part.querySelector("button").addEventListener("click", async () => {
    say("");
    try {
      await add(part);
    } catch (error) {
      if (error.status === 403) return location.assign(part.dataset.signIn);
      if (isCancelled(error)) return;
      say(
        error.name === "InvalidStateError"
          ? "This device already has a passkey for your account."
          : error.status === undefined
          ? "This device could not make a passkey."
          : error.message,
      );
    }
  });
}

if (passkeys.browserSupportsWebAuthn()) {
  const signInPart = document.querySelector("#passkey-sign-in");
  if (signInPart !== null) offerSignIn(signInPart);
  const addPart = document.querySelector("#passkey-add");
  if (addPart !== null) offerAdding(addPart);
}
