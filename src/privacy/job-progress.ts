import type { Context } from '../platform/context.ts';
import { type Claim, type Counts, type DataJob, notedScenes, noteScene, renewJob } from './data-job.store.ts';
import { storedCounts } from './schema.ts';

/** After this time without a renewal another process takes the job over. */
export const LEASE_SECONDS = 60;
export const RENEW_MS = 10_000;

/** The job was cancelled, is held by another process, or this program stops. */
export class Interrupted extends Error {}

/** The progress of a job, which is stored whenever the claim on it is renewed. */
export class JobProgress {
  readonly signal: AbortSignal;
  readonly #db: Context['db'];
  readonly #claim: Claim;
  #steps = 0;
  #of = 1;
  #counts: Record<string, number>;

  /** @param signal the claim is lost, or the program stops */
  constructor(
    { db }: Pick<Context, 'db'>,
    { job, claim, signal }: { job: DataJob; claim: Claim; signal: AbortSignal },
  ) {
    this.#db = db;
    this.#claim = claim;
    this.signal = signal;
    // An erasure goes on where it was; an export begins anew.
    this.#counts = job.kind === 'erasure' ? storedCounts.parse(job.counts) : {};
  }

  get counts(): Counts {
    return { ...this.#counts };
  }

  /** @throws Interrupted when this process may not go on */
  requireMine(): void {
    if (this.signal.aborted) throw new Interrupted('the job is not held any more');
  }

  /** @param steps of the whole job */
  begin(steps: number): void {
    this.#of = Math.max(1, steps);
    this.#steps = 0;
  }

  step(): void {
    this.#steps += 1;
  }

  count(name: string, rows: number): void {
    if (rows > 0) this.#counts[name] = (this.#counts[name] ?? 0) + rows;
  }

  noteScene(sceneId: string): Promise<void> {
    return noteScene(this.#db, this.#claim, sceneId);
  }

  notedScenes(): Promise<string[]> {
    return notedScenes(this.#db, this.#claim);
  }

  /** Renews the claim, and stores how far the job is. @returns false when it is held by another process */
  renew(): Promise<boolean> {
    const progressPercent = Math.min(99, Math.floor((100 * this.#steps) / this.#of));
    return renewJob(this.#db, this.#claim, {
      leaseSeconds: LEASE_SECONDS,
      progressPercent,
      counts: this.#counts,
    });
  }
}
