import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/**
 * The kernel's table is read at most so often, for all sockets of a process together: it costs 5 ms of CPU, because the kernel walks
 * through the connections of the whole machine.
 */
const TABLE_MS = 500;
/** … and so often while nothing waits. */
const CALM_TABLE_MS = 4_000;
/** A connection on 127.0.0.1, as the kernel writes it on processors of either byte order: its ports and its queues. */
const LOOPBACK =
  /^ *\d+: (?:0100007F|7F000001):([0-9A-F]{4}) [0-9A-F]{8}:([0-9A-F]{4}) [0-9A-F]{2} ([0-9A-F]{8}):([0-9A-F]{8}) /gm;

interface Queues {
  /** Bytes that were written and have not reached the other end. */
  readonly sent: number;
  /** Bytes that have come and were not read. */
  readonly received: number;
}

/** What went through connections to a program on this machine. */
export interface Traffic {
  /** Bytes that were passed on to it. */
  readonly sentBytes: number;
  /** Of these, bytes that it has not read yet. */
  readonly unreadBytes: number;
}

export const NO_TRAFFIC: Traffic = { sentBytes: 0, unreadBytes: 0 };

let table: ReadonlyMap<string, Queues> = new Map();
let readAtMs = Number.NEGATIVE_INFINITY;
/** Bytes of a socket wait, by the present table. */
let isWaiting = false;

/**
 * Bytes that were written to these connections on 127.0.0.1 and that the program at the other end has not read: those in this
 * process and, on Linux, those in the buffers of the kernel, which hold megabytes.
 */
export function unreadBytes(sockets: Iterable<Socket>): number {
  let bytes = 0;
  for (const { localPort, remotePort, writableLength, destroyed } of sockets) {
    if (destroyed) continue;
    const own = queues().get(`${localPort}:${remotePort}`);
    const other = queues().get(`${remotePort}:${localPort}`);
    bytes += writableLength + (own?.sent ?? 0) + (other?.received ?? 0);
  }
  if (bytes > 0) isWaiting = true;
  return bytes;
}

/** @param sockets connections on 127.0.0.1 that are open */
export function trafficOf(sockets: ReadonlySet<Socket>): Traffic {
  let sentBytes = 0;
  for (const { bytesWritten } of sockets) sentBytes += bytesWritten;
  return { sentBytes, unreadBytes: unreadBytes(sockets) };
}

function queues(): ReadonlyMap<string, Queues> {
  const nowMs = performance.now();
  if (nowMs - readAtMs < (isWaiting ? TABLE_MS : CALM_TABLE_MS)) return table;
  readAtMs = nowMs;
  isWaiting = false;
  table = readTable();
  return table;
}

function readTable(): ReadonlyMap<string, Queues> {
  if (process.platform !== 'linux') return new Map();
  try {
    return loopbackQueues(readFileSync('/proc/self/net/tcp', 'utf8'));
  } catch {
    return new Map();
  }
}

/** @param text of /proc/net/tcp @returns by `local port:remote port`, the connections on loopback in which bytes wait */
export function loopbackQueues(text: string): Map<string, Queues> {
  const found = new Map<string, Queues>();
  for (const [, ...fields] of text.matchAll(LOOPBACK)) {
    const [local, remote, sent, received] = fields.map((hex) => Number.parseInt(hex, 16)) as FourNumbers;
    if (sent > 0 || received > 0) found.set(`${local}:${remote}`, { sent, received });
  }
  return found;
}

type FourNumbers = [number, number, number, number];
