import type { Context } from '../platform/context.ts';
import { every, type Repeating } from '../platform/jobs/every.ts';
import { type Claim, type Counts, type DataJob, notedScenes, noteScene, renewJob } from './data-job.store.ts';

/** After this time without a renewal another process takes the job over. */
export const LEASE_SECONDS = 60;
const RENEW_MS = 10_000;

/** The job was cancelled, is held by another process, or this program stops. */
export class Interrupted extends Error {}

/** The progress of a job, and the claim on it, which is renewed while the job runs. */
export class JobProgress {
  readonly #db: Context['db'];
  readonly #claim: Claim;
  readonly #lost = new AbortController();
  readonly #renewing: Repeating;
  #steps = 0;
  #of = 1;
  #counts: Record<string, number>;

  /** @param stopping the program stops */
  constructor(
    { db, logger }: Pick<Context, 'db' | 'logger'>,
    { job, claim, stopping }: { job: DataJob; claim: Claim; stopping: AbortSignal },
  ) {
    this.#db = db;
    this.#claim = claim;
    // An erasure goes on where it was; an export begins anew.
    this.#counts = job.kind === 'erasure' ? { ...(job.counts as Counts) } : {};
    const stop = () => this.#lost.abort();
    if (stopping.aborted) stop();
    stopping.addEventListener('abort', stop, { signal: this.#lost.signal });
    this.#renewing = every(
      RENEW_MS,
      () => this.#renew(),
      (error) => logger.warn({ err: error, jobId: claim.id }, 'the claim on a job could not be renewed'),
    );
  }

  get counts(): Counts {
    return { ...this.#counts };
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** @throws Interrupted when this process may not go on */
  requireMine(): void {
    if (this.#lost.signal.aborted) throw new Interrupted('the job is not held any more');
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

  /** Renews the claim no longer. */
  async end(): Promise<void> {
    await this.#renewing.stop();
    this.#lost.abort();
  }

  async #renew(): Promise<void> {
    const progressPercent = Math.min(99, Math.floor((100 * this.#steps) / this.#of));
    const renewal = { leaseSeconds: LEASE_SECONDS, progressPercent, counts: this.#counts };
    if (!(await renewJob(this.#db, this.#claim, renewal))) this.#lost.abort();
  }
}
