import { expect, test } from '@jest/globals';
import type { Db } from '../../../../src/platform/database/db.ts';
import type { ActiveRun } from '../../../../src/runs/record/active-run.ts';
import { loadRunRules } from '../../../../src/runs/record/alerts/load-run-rules.ts';

test('rules that were read earlier do not replace those of a later read', async () => {
  const loaded: string[][] = [];
  const run = {
    claim: { sceneId: 'scene' },
    rules: { load: (rules: { id: string }[]) => void loaded.push(rules.map(({ id }) => id)) },
  } as unknown as Pick<ActiveRun, 'claim' | 'rules'>;
  /** A database with one rule, which says so after `until`. */
  const holding = (id: string, until: Promise<void>) =>
    ({
      $queryRaw: async () => [{ id, sceneId: 'scene', isFiring: false }],
      alertRule: { findMany: () => until.then(() => [{ id, conditions: [], schedule: null }]) },
    }) as unknown as Db;
  let release: () => void = () => undefined;
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const late = loadRunRules(holding('old', isReleased), [run]);
  await loadRunRules(holding('new', Promise.resolve()), [run]);
  release();
  await late;
  expect(loaded).toEqual([['new']]);
  await loadRunRules(holding('newest', Promise.resolve()), [run]);
  expect(loaded).toEqual([['new'], ['newest']]);
});
