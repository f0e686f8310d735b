import { createRandom, type Random } from '../../../src/simulator/random.ts';
import { lastMidnight, type SeedPlan } from '../../seed/plan.ts';
import type { ServerProgram } from '../../support/programs.ts';
import { eachWithProgress } from '../../support/terminal.ts';
import { type BenchRequest, type Measured, measure } from './measure.ts';
import { openSeededDatabase } from './seeded-database.ts';

/** Little of what every plan has to have. */
const FEW = { alerts: 1, pictured: 0, snapshots: 1, rolling: 0, tasks: 0, usage: 0, usageDays: 1 };

/** An API over the seeded database of one user. */
export interface SeededApi {
  readonly api: ServerProgram;
  readonly databaseUrl: string;
  /** Of the user. */
  readonly key: string;
  /** All rows lie before this time. */
  readonly until: Date;
}

/**
 * Opens a seeded database of one user, starts an API over it, and ends both when it has been used.
 * @param kind begins the name of the database
 * @param wanted numbers of the plan that are not small
 */
export async function withSeededApi<Result>(
  kind: string,
  wanted: Partial<SeedPlan> & Pick<SeedPlan, 'devices'>,
  use: (seeded: SeededApi) => Promise<Result>,
): Promise<Result> {
  const until = lastMidnight();
  const database = await openSeededDatabase({ ...FEW, seed: 1, users: 1, until, ...wanted }, kind);
  try {
    const api = await database.start('src/api.ts', '/readyz');
    try {
      return await use({ api, databaseUrl: database.url, key: database.keys[0]!.key, until });
    } finally {
      await api.stop();
    }
  } finally {
    await database.stop();
  }
}

/** Options of the benches over the database of `history`. */
export const HISTORY_OPTIONS = {
  minutes: ['occupancy minutes, the same number for each scene', 5_000_000],
  visits: ['visits', 1_000_000],
} as const;

/** The API over the database of `history`: one user with 40 scenes. */
export const withHistoryApi = <Result>(
  { minutes, visits }: { readonly minutes: number; readonly visits: number },
  use: (seeded: SeededApi) => Promise<Result>,
): Promise<Result> => withSeededApi(`history_${minutes}_${visits}`, { devices: 4, minutes, visits }, use);

interface CallOptions {
  readonly connections: number;
  readonly seconds: number;
}

/** Measures calls one after the other. @param requestOf makes a random request of a call */
export const measureCalls = <Call extends object>(
  api: ServerProgram,
  calls: readonly Call[],
  {
    connections,
    seconds,
    requestOf,
  }: CallOptions & { requestOf: (call: Call, random: Random) => BenchRequest },
): Promise<(Call & Measured)[]> =>
  eachWithProgress('bench', calls, 'calls', async (call) => {
    const random = createRandom(1, calls.indexOf(call));
    const requests = Array.from({ length: 200 }, () => requestOf(call, random));
    await measure(api, { connections, requests: requests.slice(0, 20), once: true });
    return { ...call, ...(await measure(api, { connections, requests, seconds })) };
  });
