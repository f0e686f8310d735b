import { randomUUID } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { nodesAt, parseXml, textAt } from './xml.ts';

/** A camera that answered a probe. Everything but `address` is the camera's word. */
export interface ProbeMatch {
  /** The IP address from which the answer came. */
  readonly address: string;
  /** Addresses of its web service. */
  readonly serviceUrls: readonly string[];
  /** Words like `onvif://www.onvif.org/name/Entrance`. */
  readonly scopes: readonly string[];
}

export interface ProbeOptions {
  /** Addresses that are asked one by one. */
  readonly addresses: readonly string[];
  /** Also asks all cameras on the links of this machine. */
  readonly multicast: boolean;
  readonly port: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called for each answer, also for repeated ones. */
  readonly onMatch: (match: ProbeMatch) => void;
}

/** The group and the port of WS-Discovery. */
const GROUP = '239.255.255.250';
export const DISCOVERY_PORT = 3702;
/** A larger answer is not read. */
const MOST_BYTES = 16 * 1024;
/** Answers that are read in one search. */
const MOST_ANSWERS = 1_000;
/** Datagrams are lost without notice. */
const TIMES = 2;
const BURST = 16;
const BURST_PAUSE_MS = 20;
const MOST_URLS = 8;
const MOST_SCOPES = 64;

/** Asks for cameras with WS-Discovery, and waits for answers until the time is over. Never throws. */
export async function probeNetwork(options: ProbeOptions): Promise<void> {
  const { timeoutMs, signal, onMatch } = options;
  const messageId = randomUUID();
  const socket = createSocket({ type: 'udp4' });
  let answers = 0;
  // An address without a camera answers with an ICMP error.
  socket.on('error', () => undefined);
  socket.on('message', (bytes, { address }) => {
    answers++;
    if (answers > MOST_ANSWERS || bytes.length > MOST_BYTES) return;
    for (const match of matchesIn(bytes.toString('utf8'), messageId)) onMatch({ address, ...match });
  });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(0, resolve);
    });
    const probe = Buffer.from(probeOf(messageId));
    for (let time = 0; time < TIMES; time++) {
      await sendProbes(socket, probe, options);
      await pause(timeoutMs / TIMES, undefined, { signal });
    }
  } catch {
    // The search was ended, or this machine has no network.
  } finally {
    socket.close();
  }
}

async function sendProbes(
  socket: Socket,
  probe: Buffer,
  { addresses, multicast, port, signal }: ProbeOptions,
): Promise<void> {
  const send = (address: string) =>
    new Promise<void>((resolve) => socket.send(probe, port, address, () => resolve()));
  if (multicast) {
    for (const local of localAddresses()) {
      try {
        socket.setMulticastInterface(local);
        await send(GROUP);
      } catch {
        // The interface has gone.
      }
    }
  }
  for (const [at, address] of addresses.entries()) {
    // The socket holds the answers of few cameras until they are read.
    if (at % BURST === 0) await pause(BURST_PAUSE_MS, undefined, { signal });
    await send(address);
  }
}

const localAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);

function matchesIn(text: string, messageId: string): Omit<ProbeMatch, 'address'>[] {
  try {
    const envelope = nodesAt(parseXml(text), 'Envelope')[0];
    // Whoever does not know the message cannot answer it.
    if (!textAt(envelope, 'Header', 'RelatesTo')?.includes(messageId)) return [];
    return nodesAt(envelope, 'Body', 'ProbeMatches', 'ProbeMatch').map((match) => ({
      serviceUrls: wordsOf(textAt(match, 'XAddrs')).slice(0, MOST_URLS),
      scopes: wordsOf(textAt(match, 'Scopes')).slice(0, MOST_SCOPES),
    }));
  } catch {
    return [];
  }
}

const wordsOf = (text: string | null): string[] => (text ?? '').split(/\s+/).filter((word) => word !== '');

const probeOf = (messageId: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope" xmlns:w="http://schemas.xmlsoap.org/ws/2004/08/addressing" xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery" xmlns:dn="http://www.onvif.org/ver10/network/wsdl"><e:Header><w:MessageID>urn:uuid:${messageId}</w:MessageID><w:To>urn:schemas-xmlsoap-org:ws:2005:04:discovery</w:To><w:Action>http://schemas.xmlsoap.org/ws/2005/04/discovery/Probe</w:Action></e:Header><e:Body><d:Probe><d:Types>dn:NetworkVideoTransmitter</d:Types></d:Probe></e:Body></e:Envelope>`;
