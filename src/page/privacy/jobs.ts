import type { Resource } from '../../client/client.ts';

export type DataJob = Resource<'Export'> | Resource<'Erasure'>;

const OPEN = new Set<DataJob['status']>(['queued', 'running']);

export const isOpen = ({ status }: Pick<DataJob, 'status'>): boolean => OPEN.has(status);

/** How often the list is read: often while a job is open, never after that. */
export const refreshMs = (jobs: readonly Pick<DataJob, 'status'>[]): number | false =>
  jobs.some(isOpen) ? 2_000 : false;

/** Rows and images of a job so far. */
export const rowsOf = ({ counts }: Pick<DataJob, 'counts'>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** The word that confirms an erasure; spaces around it do not count. */
export const isConfirmed = (typed: string, word: string): boolean => typed.trim() === word;
