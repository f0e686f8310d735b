import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { SECRET_VARIABLES } from '../../src/platform/environment.ts';
import { isInstalled, testWhere } from '../support/installed.ts';
import { folderOf, read, VARIABLES } from './known.ts';

const units = readdirSync(folderOf('systemd'))
  .filter((file) => file.endsWith('.service'))
  .map((file) => {
    const settings = [...read(`systemd/${file}`).matchAll(/^(\w+)=(.*)$/gm)];
    const of = (name: string) => settings.filter(([, key]) => key === name).map(([, , value]) => value!);
    const wordsOf = (name: string) => of(name).flatMap((line) => line.split(' '));
    return { file, of, wordsOf, names: settings.map(([, key]) => key) };
  });
const programs = units.filter(({ file }) => file.includes('@'));

test.each(units)('$file starts a program of the build with variables that it knows', ({ of, wordsOf }) => {
  const [command] = of('ExecStart');
  const [, program] = /^\/usr\/bin\/node (\S+\.js)/.exec(command!)!;
  const source = program!.replace(/^dist\/(.*)\.js$/, '$1.ts');
  expect({ source, exists: existsSync(source) }).toEqual({ source, exists: true });
  const variables = wordsOf('Environment').map((word) => word.split('=')[0]!);
  expect(variables.filter((name) => !VARIABLES.has(name))).toEqual([]);
  for (const hardening of ['NoNewPrivileges', 'ProtectSystem', 'PrivateTmp'])
    expect(of(hardening)).toHaveLength(1);
});

test.each(units)('$file reads its secrets from files that systemd gives it alone', ({ of, wordsOf }) => {
  const loaded = of('LoadCredential').map((line) => line.split(':')[0]!);
  expect(loaded).toContain('DATABASE_URL');
  expect(loaded.filter((name) => !SECRET_VARIABLES.includes(name))).toEqual([]);
  const variables = wordsOf('Environment');
  expect(variables.filter((word) => /_FILE=/.test(word))).toEqual(
    loaded.map((name) => `${name}_FILE=%d/${name}`),
  );
  expect(variables.filter((word) => SECRET_VARIABLES.includes(word.split('=')[0]!))).toEqual([]);
});

describe('an upgrade one after the other', () => {
  test('the programs are API and worker, of which a machine may have several', () => {
    expect(programs.map(({ file }) => file)).toEqual([
      'video-analytics-api@.service',
      'video-analytics-worker@.service',
    ]);
    const ports = programs.flatMap(({ wordsOf }) =>
      wordsOf('Environment').filter((word) => /PORT=/.test(word)),
    );
    expect(ports).toEqual(['PORT=808%i', 'METRICS_PORT=946%i', 'METRICS_PORT=947%i']);
  });

  test.each(programs)(
    '$file is not ended with another unit, starts after the migration, and is never given up',
    (unit) => {
      const { names, of, wordsOf } = unit;
      // Each of them ends a program when the other unit is stopped or started again.
      for (const name of ['Requires', 'Requisite', 'BindsTo', 'PartOf', 'Conflicts'])
        expect(names).not.toContain(name);
      for (const name of ['Wants', 'After'])
        expect(wordsOf(name)).toContain('video-analytics-migrate.service');
      expect(of('StartLimitIntervalSec')).toEqual(['0']);
      expect(of('Restart')).toEqual(['always']);
      expect(of('WorkingDirectory')).toEqual(['/opt/video-analytics/current']);
    },
  );

  test('the migration runs again with each start', () => {
    const migrate = units.find(({ file }) => file === 'video-analytics-migrate.service')!;
    expect(migrate.of('Type')).toEqual(['oneshot']);
    expect(migrate.names).not.toContain('RemainAfterExit');
  });
});

// It knows neither the account nor the folders of an installation, but every setting and specifier.
testWhere(isInstalled('systemd-analyze', '--version'))('systemd accepts the units', () => {
  const folder = mkdtempSync(join(tmpdir(), 'units-'));
  try {
    for (const { file } of units)
      writeFileSync(
        join(folder, file),
        read(`systemd/${file}`).replaceAll('/usr/bin/node', process.execPath),
      );
    const verify = (files: readonly string[]) => {
      const done = spawnSync('systemd-analyze', ['verify', ...files.map((file) => join(folder, file))], {
        encoding: 'utf8',
      });
      return `${done.stdout}${done.stderr}`.split('\n').filter((line) => line.includes('video-analytics'));
    };
    expect(verify(units.map(({ file }) => file))).toEqual([]);
    writeFileSync(
      join(folder, 'video-analytics-bad.service'),
      '[Service]\nExecStart=/bin/true\nRestrat=always\n',
    );
    expect(verify(['video-analytics-bad.service'])).toEqual([expect.stringContaining('Restrat')]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
