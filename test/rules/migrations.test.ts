import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = 'prisma/migrations';

const namesIn = (root: string): string[] =>
  readdirSync(join(root, FOLDER))
    .filter((name) => name !== 'migration_lock.toml')
    .sort();

/** What git says, in lines; null where there is no git or no repository. */
function git(root: string, ...args: string[]): string[] | null {
  try {
    const said = execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return said.split('\n').filter((line) => line !== '');
  } catch {
    return null;
  }
}

/** `2026-11-26T08:00:00Z` as the name of a migration begins. */
const stamp = (at: Date): string => at.toISOString().replaceAll(/\D/g, '').slice(0, 14);

const migrationOf = (path: string): string | undefined => path.slice(FOLDER.length + 1).split('/')[0];

/**
 * What is wrong with the names. A name that is dated ahead sorts after migrations that are made later, and one that sorts before a
 * migration that was there already is applied after it in old databases and before it in new ones.
 */
function faultsOf(root: string): string[] {
  const isRepository = git(root, 'ls-files', '--error-unmatch', 'package.json') !== null;
  const tracked = new Set((isRepository && git(root, 'ls-files', FOLDER)?.map(migrationOf)) || []);
  const newest = isRepository ? git(root, 'log', '-1', '--format=%cI')![0] : undefined;
  const [names, added] = [namesIn(root), isRepository ? additionsOf(root) : new Map<string, Addition>()];
  return names.flatMap((name) => {
    if (!/^\d{14}_[a-z0-9_]+$/.test(name)) return [`${name} is not named by its time`];
    // An edited copy is newer than its commit. What is not committed yet has the time of its file.
    const limit =
      newest && tracked.has(name)
        ? new Date(newest)
        : statSync(join(root, FOLDER, name, 'migration.sql')).mtime;
    const isAhead = name.slice(0, 14) > stamp(limit);
    const sortsAfter = names.filter((other) => other > name && tracked.has(other));
    const later = tracked.has(name) ? thereBefore(root, name, sortsAfter, added) : sortsAfter;
    return [
      ...(isAhead ? [`${name} is dated ahead of ${stamp(limit)}`] : []),
      ...later.map((other) => `${name} was added after ${other} and sorts before it`),
    ];
  });
}

interface Addition {
  readonly commit: string;
  /** Place in the history: that of a commit is lower than those of all commits before it. */
  readonly place: number;
}

/** When each migration was added first, asked once: git looks through the whole history each time. */
function additionsOf(root: string): Map<string, Addition> {
  const [added, options] = [new Map<string, Addition>(), ['--topo-order', '--no-renames', '--diff-filter=A']];
  let addition: Addition = { commit: '', place: 0 };
  const lines = git(root, 'log', ...options, '--name-only', '--format=%H', '--', FOLDER) ?? [];
  for (const [place, line] of lines.entries()) {
    if (!line.startsWith(FOLDER)) addition = { commit: line, place };
    else if (line.endsWith('/migration.sql')) added.set(migrationOf(line)!, addition);
  }
  return added;
}

/** Which of others were there when this one was committed. None where the history does not go back so far. */
function thereBefore(
  root: string,
  name: string,
  others: readonly string[],
  added: Map<string, Addition>,
): string[] {
  const own = added.get(name);
  const older = others.filter((other) => (added.get(other)?.place ?? Infinity) > (own?.place ?? Infinity));
  if (!own || older.length === 0) return [];
  const tree = git(root, 'ls-tree', '--name-only', `${own.commit}~1`, `${FOLDER}/`)?.map(migrationOf);
  return older.filter((other) => tree?.includes(other));
}

test('no migration is dated ahead of the newest commit, or sorts before one that was there before it', () => {
  expect(faultsOf(ROOT)).toEqual([]);
});

describe('the check', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'names-'));
    mkdirSync(join(root, FOLDER), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(root, 'package.json'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function add(name: string, at: string): void {
    mkdirSync(join(root, FOLDER, name));
    const file = join(root, FOLDER, name, 'migration.sql');
    writeFileSync(file, 'SELECT 1;\n');
    utimesSync(file, new Date(at), new Date(at));
  }

  function commit(at: string): void {
    const env = { ...process.env, GIT_COMMITTER_DATE: at, GIT_AUTHOR_DATE: at };
    for (const args of [
      ['init', '--quiet'],
      ['add', '.'],
      [
        '-c',
        'user.name=a',
        '-c',
        'user.email=a@b',
        '-c',
        'commit.gpgsign=false',
        'commit',
        '--quiet',
        '--message',
        'x',
      ],
    ])
      execFileSync('git', args, { cwd: root, env, stdio: 'ignore' });
  }

  test('finds what is dated ahead, with and without git, whatever the time of a committed file', () => {
    add('20300101000000_first', '2030-01-01T00:00:00Z');
    add('20300102000000_ahead', '2030-01-01T12:00:00Z');
    expect(faultsOf(root)).toEqual(['20300102000000_ahead is dated ahead of 20300101120000']);
    commit('2030-01-01T13:00:00+01:00');
    expect(faultsOf(root)).toEqual(['20300102000000_ahead is dated ahead of 20300101120000']);
    commitNothing('2030-01-03T00:00:00Z');
    expect(faultsOf(root)).toEqual([]);
  });

  test('finds what sorts before a migration that was there, committed or not', () => {
    add('20300105000000_first', '2030-01-05T00:00:00Z');
    commit('2030-01-05T00:00:00Z');
    add('20300104000000_second', '2030-01-06T00:00:00Z');
    const fault = '20300104000000_second was added after 20300105000000_first and sorts before it';
    expect(faultsOf(root)).toEqual([fault]);
    commit('2030-01-06T00:00:00Z');
    expect(faultsOf(root)).toEqual([fault]);
  });

  test('lets one migration stand in the place of many, and finds a name without a time', () => {
    add('20300109000000_many', '2030-01-09T00:00:00Z');
    commit('2030-01-09T00:00:00Z');
    rmSync(join(root, FOLDER, '20300109000000_many'), { recursive: true });
    add('20300108000000_init', '2030-01-09T00:00:00Z');
    add('later', '2030-01-09T00:00:00Z');
    commit('2030-01-09T01:00:00Z');
    expect(faultsOf(root)).toEqual(['later is not named by its time']);
  });

  function commitNothing(at: string): void {
    writeFileSync(join(root, 'more'), at);
    commit(at);
  }
});
