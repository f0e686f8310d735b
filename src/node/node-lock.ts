import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import {
  isRunning,
  killGroup,
  processStartTime,
  type StartedProcess,
  startedProcess,
} from '../platform/processes/processes.ts';
import type { WriteFaults } from '../platform/write-faults.ts';

const seatFile = z.object({
  /** The node's id in the database, kept over restarts. */
  nodeId: z.guid(),
  owner: startedProcess,
  /** Leaders of the process groups the owner has started and not yet ended. */
  children: z.array(startedProcess),
});

export interface NodeLockOptions {
  /** Told of a file that cannot be written. */
  readonly faults?: Pick<WriteFaults, 'failed' | 'worked'>;
  /** A file that could not be written is tried again so often. */
  readonly retryMs?: number;
}

const RETRY_MS = 10_000;
const FILES = 'The files of node seats';

/**
 * A worker's place on this machine, one file in a folder: its name and the children it has running. A worker that
 * starts takes the place of one that has ended or crashed (and ends the children it left over); while that one is
 * still running it takes the next name: `shop`, `shop-2`, …
 *
 * The file only helps. Where it cannot be written the worker works without, and the file is written as soon as it can be:
 * until then a worker that starts beside it may take the same name, and a crash may leave children behind.
 */
export class NodeLock {
  readonly name: string;
  readonly nodeId: string;
  /** Groups that a crashed worker had left and that were ended now. */
  readonly endedChildren: readonly StartedProcess[];
  readonly #file: string;
  readonly #owner: StartedProcess;
  readonly #children = new Map<number, StartedProcess>();
  readonly #options: NodeLockOptions;
  #retry: NodeJS.Timeout | null = null;

  /** @param folder e.g. `DATA_DIR/nodes`; it is made. @param name the wanted name of the node */
  constructor(folder: string, name: string, options: NodeLockOptions = {}) {
    this.#options = options;
    this.#owner = { pid: process.pid, startTime: processStartTime(process.pid) ?? '' };
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? name : `${name}-${number}`;
      const file = join(folder, `${candidate.replace(/[^\w.-]/g, '_')}.json`);
      const taken = takeSeat(file, this.#owner);
      if (!taken) continue;
      this.name = candidate;
      this.nodeId = taken.nodeId;
      this.#file = file;
      this.endedChildren = taken.leftOvers.filter(isRunning);
      for (const { pid } of this.endedChildren) killGroup(pid, 'SIGKILL');
      if (!taken.isWritten) this.#write();
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

  /** It is nobody's any more once this process has ended. Tries no more. */
  close(): void {
    if (this.#retry) clearTimeout(this.#retry);
    this.#retry = null;
  }

  #write(): void {
    const { faults, retryMs = RETRY_MS } = this.#options;
    this.close();
    try {
      const sitting = readSeat(this.#file)?.owner;
      // Another took the place while ours could not be written.
      if (!sitting || sitting.pid === this.#owner.pid || !isRunning(sitting)) {
        const children = [...this.#children.values()];
        writeWhole(this.#file, { nodeId: this.nodeId, owner: this.#owner, children });
      }
      faults?.worked(FILES);
    } catch (error) {
      faults?.failed(FILES, error);
      this.#retry = setTimeout(() => this.#write(), retryMs).unref();
    }
  }
}

type Seat = z.infer<typeof seatFile>;

interface TakenSeat {
  readonly nodeId: string;
  /** Children of its former owner. */
  readonly leftOvers: readonly StartedProcess[];
  /** False where the disk does not take the file. */
  readonly isWritten: boolean;
}

/** @returns null when the seat is taken */
function takeSeat(file: string, owner: StartedProcess): TakenSeat | null {
  const former = readSeat(file);
  if (former && isRunning(former.owner)) return null;
  // Of two that start together only one removes the old file, and only one makes the new one.
  const aside = `${file}.${process.pid}.old`;
  let isOurs = false;
  try {
    renameSync(file, aside);
    isOurs = true;
    rmSync(aside);
  } catch {
    // There was none, or the other was faster, or nothing can be written here.
  }
  const leftOvers = former?.children ?? [];
  const nodeId = former?.nodeId ?? randomUUID();
  try {
    mkdirSync(dirname(file), { recursive: true });
    // The name appears with the whole file or not at all, and only for one of two.
    const draft = `${file}.${process.pid}.new`;
    writeWhole(draft, { nodeId, owner, children: [] });
    try {
      linkSync(draft, file);
    } finally {
      rmSync(draft, { force: true });
    }
    return { nodeId, leftOvers, isWritten: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(file)) return null;
    // Without the file nothing keeps another from the same place: only one of two may go on as the former node.
    return { nodeId: isOurs ? nodeId : randomUUID(), leftOvers, isWritten: false };
  }
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
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(partial, JSON.stringify(seat));
    renameSync(partial, file);
  } catch (error) {
    removeQuietly(partial);
    throw error;
  }
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // It stays, as everything else does there.
  }
}
