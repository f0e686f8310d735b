import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { PROCESS_ID } from '../../platform/database/session-owner.ts';
import {
  isRunning,
  killGroup,
  processStartTime,
  type StartedProcess,
  startedProcess,
} from '../../platform/processes/processes.ts';
import type { WriteFaults } from '../../platform/write-faults.ts';
import { takenBy } from './take-place.ts';

const lockFile = z.object({
  /** The id of the node in the database. It stays the same over restarts. */
  nodeId: z.guid(),
  owner: startedProcess,
  /** Of the owner in the database. */
  incarnation: z.guid(),
  /** Leaders of the process groups that the owner has started and not ended yet. */
  children: z.array(startedProcess),
});
type LockFile = z.infer<typeof lockFile>;

export interface NodeLockOptions {
  /** The name was chosen (NODE_NAME): while another worker of this folder has it, this one refuses to start. */
  readonly isChosen?: boolean;
  /** Gets each success and failure of writing the file. */
  readonly faults?: Pick<WriteFaults, 'failed' | 'worked'>;
  /** Pause before a failed write is repeated. */
  readonly retryMs?: number;
}

const RETRY_MS = 10_000;
const FILES = 'The lock files of nodes';

/**
 * The identity of a worker on this machine, and the processes that it has started: one lock file for each name. A worker
 * takes the name and id of a worker that has ended or crashed, and ends the processes that one has left. While the other
 * worker runs, it refuses a chosen name, and of a host's name it takes the next one: `shop`, `shop-2`, …
 *
 * A worker also runs without its file, and repeats the write until it succeeds. Until then a second worker may take the
 * same name, and a crash may leave processes behind.
 */
export class NodeLock {
  readonly name: string;
  readonly nodeId: string;
  /** The incarnation of the former worker of this name, which has ended; null where none is known. */
  readonly formerIncarnation: string | null;
  /** Process groups of a crashed worker that were ended now. */
  readonly endedChildren: readonly StartedProcess[];
  readonly #file: string;
  readonly #owner: StartedProcess;
  readonly #children = new Map<number, StartedProcess>();
  readonly #options: NodeLockOptions;
  #retry?: NodeJS.Timeout;

  /**
   * @param folder e.g. `DATA_DIR/nodes`; created when it is missing. @param name the preferred name of the node
   * @throws Error with one sentence: another worker has the chosen name
   */
  constructor(folder: string, name: string, options: NodeLockOptions = {}) {
    this.#options = options;
    this.#owner = { pid: process.pid, startTime: processStartTime(process.pid) ?? '' };
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? name : `${name}-${number}`;
      const file = join(folder, `${candidate.replace(/[^\w.-]/g, '_')}.json`);
      const taken = takeLock(file, this.#owner);
      if (!taken && options.isChosen) throw new Error(takenBy(name, 'this machine'));
      if (!taken) continue;
      this.name = candidate;
      this.nodeId = taken.nodeId;
      this.formerIncarnation = taken.formerIncarnation;
      this.#file = file;
      this.endedChildren = taken.children.filter(isRunning);
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

  /** Repeats no failed write any longer. The end of this process releases the lock. */
  close(): void {
    clearTimeout(this.#retry);
  }

  #write(): void {
    const { faults, retryMs = RETRY_MS } = this.#options;
    this.close();
    try {
      const owner = readLock(this.#file)?.owner;
      // Another worker may have taken the lock while the write failed.
      if (!owner || owner.pid === this.#owner.pid || !isRunning(owner)) {
        const children = [...this.#children.values()];
        writeLock(this.#file, {
          ...{ nodeId: this.nodeId, owner: this.#owner },
          ...{ incarnation: PROCESS_ID, children },
        });
      }
      faults?.worked(FILES);
    } catch (error) {
      faults?.failed(FILES, error);
      this.#retry = setTimeout(() => this.#write(), retryMs).unref();
    }
  }
}

interface TakenLock {
  readonly nodeId: string;
  readonly formerIncarnation: string | null;
  /** Processes of the former owner. */
  readonly children: readonly StartedProcess[];
  /** False when the file could not be written. */
  readonly isWritten: boolean;
}

/** @returns null when a running worker has the lock */
function takeLock(file: string, owner: StartedProcess): TakenLock | null {
  const former = readLock(file);
  if (former && isRunning(former.owner)) return null;
  // Of two workers that start at the same time only one removes the old file, and only one creates the new one.
  const aside = `${file}.${process.pid}.old`;
  let isOurs = false;
  try {
    renameSync(file, aside);
    isOurs = true;
    rmSync(aside);
  } catch {
    // There was no file, or the other worker was faster, or the folder is not writable.
  }
  const children = former?.children ?? [];
  const nodeId = former?.nodeId ?? randomUUID();
  const formerIncarnation = former?.incarnation ?? null;
  try {
    mkdirSync(dirname(file), { recursive: true });
    // A link appears with the whole file, and only one of two workers can create it.
    const draft = `${file}.${process.pid}.new`;
    writeLock(draft, { nodeId, owner, incarnation: PROCESS_ID, children: [] });
    try {
      linkSync(draft, file);
    } finally {
      rmSync(draft, { force: true });
    }
    return { nodeId, formerIncarnation, children, isWritten: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(file)) return null;
    // Without the file a second worker may take the same name: only the one that removed the old file keeps the id.
    return { nodeId: isOurs ? nodeId : randomUUID(), formerIncarnation, children, isWritten: false };
  }
}

/** @returns null when there is no file, or when a crash has left only a part of it */
function readLock(file: string): LockFile | null {
  try {
    return lockFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

function writeLock(file: string, lock: LockFile): void {
  const partial = `${file}.part`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(partial, JSON.stringify(lock));
    renameSync(partial, file);
  } catch (error) {
    try {
      rmSync(partial, { force: true });
    } catch {
      // The folder is not writable, so the partial file stays.
    }
    throw error;
  }
}
