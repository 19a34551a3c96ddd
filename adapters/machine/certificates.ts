import { connect, type PeerCertificate } from "node:tls";
import { DAY_MS } from "../../domain/day.ts";
import { startTimer } from "../time/system_time.ts";
import { type Finding, toDo, well } from "../../domain/doctor/finding.ts";

/** Renewals are due a month before the end; later than this they have failed. */
const CERTIFICATE_MIN_MS = 14 * DAY_MS;
const CONNECT_MS = 10_000;

/** Whether the certificates of these addresses are good for a while yet. */
export async function lookAtCertificates(
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
    [...hosts].map((host) => lookAtCertificate(host, nowMs)),
  );
}

/** The same of one host, `ads.example.org` or with a port. */
export async function lookAtCertificate(
  host: string,
  nowMs: number,
  ca?: string,
): Promise<Finding> {
  const check = `certificate of ${host}`;
  try {
    const { valid_to } = await certificateOf(host, ca);
    const leftMs = Date.parse(valid_to) - nowMs;
    const days = Math.floor(leftMs / DAY_MS);
    return leftMs < CERTIFICATE_MIN_MS
      ? toDo(check, `It ends in ${days} days: see why it was not renewed.`)
      : well(check, `It is good for ${days} days.`);
  } catch (error) {
    const { code } = error as { code?: unknown };
    const why = typeof code === "string" ? code : "no answer";
    const says = `It can't be verified (${why}): see to the proxy that ends ` +
      "TLS, and to the name's address.";
    return toDo(check, says);
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
