import { connect, type PeerCertificate } from "node:tls";
import { startTimer } from "../time/system_time.ts";
import { type Finding, trouble, well } from "../../domain/doctor/finding.ts";

/** Renewals are due when a third of its life is left; with less they have failed. */
const LEFT_MIN = 0.2;
const CONNECT_MS = 10_000;

/** Whether the certificates of these addresses are good for a while yet. */
export async function checkCertificates(
  addresses: readonly string[],
  nowMs: number,
): Promise<Finding[]> {
  const hosts = new Set(
    addresses.map((address) => new URL(address))
      .filter(({ protocol }) => protocol === "https:")
      .map(({ host }) => host),
  );
  if (hosts.size === 0) {
    return [well("certificates", "No address is https, so none is needed.")];
  }
  return await Promise.all(
    [...hosts].map((host) => checkCertificate(host, nowMs)),
  );
}

/** The same of one host, `ads.example.org` or with a port. */
export async function checkCertificate(
  host: string,
  nowMs: number,
  ca?: string,
): Promise<Finding> {
  const check = `certificate of ${host}`;
  try {
    const { valid_from, valid_to } = await certificateOf(host, ca);
    const endsMs = Date.parse(valid_to);
    const lifeMs = endsMs - Date.parse(valid_from);
    const until = new Date(endsMs).toISOString();
    return endsMs - nowMs < LEFT_MIN * lifeMs
      ? trouble(check, `It ends at ${until}: see why it was not renewed.`)
      : well(check, `It is good until ${until}.`);
  } catch (error) {
    const { code } = error as { code?: unknown };
    const why = typeof code === "string" ? code : "no answer";
    const says = `It can't be verified (${why}): see to the proxy that ends ` +
      "TLS, and to the name's address.";
    return trouble(check, says);
  }
}

function certificateOf(host: string, ca?: string): Promise<PeerCertificate> {
  const { hostname, port } = new URL(`https://${host}`);
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: hostname.replace(/^\[(.*)\]$/, "$1"),
      port: Number(port) || 443,
      servername: hostname,
      ...ca === undefined ? {} : { ca: [ca] },
    });
    const callOff = startTimer(
      () => socket.destroy(new Error("no answer")),
      CONNECT_MS,
    );
    socket.once("secureConnect", () => {
      resolve(socket.getPeerCertificate());
      socket.destroy();
    });
    socket.once("error", reject);
    socket.once("close", callOff);
  });
}
