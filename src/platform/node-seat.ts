import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isRunning, killGroup, processStartTime, type StartedProcess, startedProcess } from './processes.ts';

const seatFile = z.object({
  /** The node's id in the database, kept over restarts. */
  nodeId: z.guid(),
  owner: startedProcess,
  /** Leaders of the process groups the owner has started and not yet ended. */
  children: z.array(startedProcess),
});

/**
 * A worker's place on this machine, one file in a folder: its name and the children it has running. A worker that
 * starts takes the place of one that has ended or crashed (and ends the children it left over); while that one is
 * still running it takes the next name: `shop`, `shop-2`, …
 */
export class NodeSeat {
  readonly name: string;
  readonly nodeId: string;
  /** Groups that a crashed worker had left and that were ended now. */
  readonly endedLeftOvers: readonly StartedProcess[];
  readonly #file: string;
  readonly #owner: StartedProcess;
  readonly #children = new Map<number, StartedProcess>();

  /** @param folder e.g. `DATA_DIR/nodes`; it is made. @param name the wanted name of the node */
  constructor(folder: string, name: string) {
    mkdirSync(folder, { recursive: true });
    this.#owner = { pid: process.pid, startTime: processStartTime(process.pid) ?? '' };
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? name : `${name}-${number}`;
      const file = join(folder, `${candidate.replace(/[^\w.-]/g, '_')}.json`);
      const taken = takeSeat(file, this.#owner);
      if (!taken) continue;
      this.name = candidate;
      this.nodeId = taken.nodeId;
      this.#file = file;
      this.endedLeftOvers = taken.leftOvers.filter(isRunning);
      for (const { pid } of this.endedLeftOvers) killGroup(pid, 'SIGKILL');
      return;
    }
  }

  addChild(pid: number): void {
    const startTime = processStartTime(pid);
    if (startTime !== null) this.#children.set(pid, { pid, startTime });
    this.#write();
  }

  removeChild(pid: number): void {
    if (this.#children.delete(pid)) this.#write();
  }

  #write(): void {
    writeWhole(this.#file, {
      nodeId: this.nodeId,
      owner: this.#owner,
      children: [...this.#children.values()],
    });
  }
}

type Seat = z.infer<typeof seatFile>;

/** @returns the node's id, and the children of its former owner; null when the seat is taken */
function takeSeat(
  file: string,
  owner: StartedProcess,
): { nodeId: string; leftOvers: readonly StartedProcess[] } | null {
  const former = readSeat(file);
  if (former && isRunning(former.owner)) return null;
  // Of two that start together only one removes the old file, and only one makes the new one.
  const aside = `${file}.${process.pid}.old`;
  try {
    renameSync(file, aside);
    rmSync(aside);
  } catch {
    // There was none, or the other was faster.
  }
  const nodeId = former?.nodeId ?? randomUUID();
  try {
    writeFileSync(file, JSON.stringify({ nodeId, owner, children: [] } satisfies Seat), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw error;
  }
  return { nodeId, leftOvers: former?.children ?? [] };
}

/** @returns null when there is none, or it was cut short by a crash */
function readSeat(file: string): Seat | null {
  try {
    return seatFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

function writeWhole(file: string, seat: Seat): void {
  const partial = `${file}.part`;
  writeFileSync(partial, JSON.stringify(seat));
  renameSync(partial, file);
}
