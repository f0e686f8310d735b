import { auditHistory } from '../src/analytics/history/audit-history.ts';
import { auditLedger } from '../src/billing/audit/audit-ledger.ts';
import { unpackAll } from '../src/metrics/packed/pack.store.ts';
import { PACKED, PACKED_AFTER_DAYS } from '../src/metrics/packed/packed-tables.store.ts';
import { PARTITIONED } from '../src/partitions.ts';
import { systemClock } from '../src/platform/clock.ts';
import { loadConfig } from '../src/platform/config.ts';
import { Sealer } from '../src/platform/crypto.ts';
import { createPartitions } from '../src/platform/database/partitions/create-partitions.store.ts';
import { readStorage } from '../src/platform/database/storage.store.ts';
import { loadSecrets } from '../src/platform/secrets.ts';
import { rotateKeys } from '../src/rotate-keys.ts';
import './admin/account-commands.ts';
import './admin/quota-commands.ts';
import './admin/doctor-command.ts';
import { command, LONG, onDb, program } from './admin/command.ts';
import { main, type Progress, parseCommands, progress, table } from './support/terminal.ts';

command(
  'audit-ledger',
  'recompute every counter from ledger, events and days, and list each difference; exit code 1 where there are any',
)
  .argument('[name|email]', 'only this user (default: all)')
  .action(
    onDb(
      async (db, email: string | undefined) => {
        let bar: Progress | undefined;
        const onUser = (done: number, total: number) => {
          bar ??= progress('audit', total, 'users');
          bar.update(done);
        };
        const { users, differences } = await auditLedger(db, { email, onUser }).finally(() => bar?.stop());
        if (differences.length > 0) process.exitCode = 1;
        return { users, differences };
      },
      ({ users, differences }) =>
        differences.length === 0
          ? `The books of ${users} users add up.`
          : [
              `${differences.length} differences in the books of ${users} users:`,
              ...differences.map(
                ({ email, period, feature, scope, scopeId, message }) =>
                  `${email} ${period} ${feature}${scope === 'device' ? ` device ${scopeId}` : ''}: ${message}`,
              ),
            ].join('\n'),
      LONG,
    ),
  );

command(
  'audit-history',
  'compare the totals, the sums of quarters of an hour and a series of each scene with its rows, and list each difference; exit code 1 where there are any',
)
  .argument('[name|email]', 'only the scenes of this user (default: all)')
  .action(
    onDb(
      async (db, email: string | undefined) => {
        let bar: Progress | undefined;
        const onScene = (done: number, total: number) => {
          bar ??= progress('audit', total, 'scenes');
          bar.update(done);
        };
        const { scenes, differences } = await auditHistory(db, { email, onScene }).finally(() => bar?.stop());
        if (differences.length > 0) process.exitCode = 1;
        return { scenes, differences };
      },
      ({ scenes, differences }) =>
        differences.length === 0
          ? `The numbers of ${scenes} scenes add up.`
          : [
              `${differences.length} differences in ${scenes} scenes:`,
              ...differences.map(({ sceneId, message }) => `scene ${sceneId}: ${message}`),
            ].join('\n'),
      LONG,
    ),
  );

command(
  'rotate-keys',
  'seal stream addresses, webhook secrets, push keys and messages again with the first of ENCRYPTION_KEYS, while the service runs',
).action(
  onDb(
    async (db) => {
      let bar: Progress | undefined;
      const onColumn = (done: number, total: number) => {
        bar ??= progress('rotate', total, 'columns');
        bar.update(done);
      };
      const config = loadConfig();
      const sealer = new Sealer(loadSecrets(config).encryptionKeys);
      const columns = await rotateKeys({ db, sealer }, onColumn).finally(() => bar?.stop());
      if (columns.some(({ unreadable }) => unreadable > 0)) process.exitCode = 1;
      return { columns };
    },
    ({ columns }) => {
      const sum = (of: 'resealed' | 'unreadable') => columns.reduce((total, column) => total + column[of], 0);
      return [
        table([
          ['column', 'sealed again', 'unreadable'],
          ...columns.map(({ name, resealed, unreadable }) => [name, resealed, unreadable]),
        ]),
        '',
        sum('unreadable') > 0
          ? `${sum('unreadable')} texts were sealed with a key that ENCRYPTION_KEYS lacks. Add that key and run this again.`
          : sum('resealed') > 0
            ? 'Run this again until nothing is sealed again. A day later the other keys can be removed from ENCRYPTION_KEYS.'
            : 'Everything is sealed with the first key. The others can be removed from ENCRYPTION_KEYS a day after they stopped being the first.',
      ].join('\n');
    },
    LONG,
  ),
);

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0);

command(
  'storage',
  'show what each table holds: rows (estimated by PostgreSQL), megabytes, its oldest row, and what a year of days like the last one would add',
).action(
  onDb(
    async (db) => {
      let bar: Progress | undefined;
      const onTable = (done: number, total: number) => {
        bar ??= progress('storage', total, 'tables');
        bar.update(done);
      };
      const moving = PACKED.map(({ rows }) => rows.table);
      const lateDays = {
        VisitQuarter: loadConfig().visitRetentionDays,
        ...Object.fromEntries(PACKED.map(({ hours }) => [hours, PACKED_AFTER_DAYS])),
      };
      return readStorage(db, { now: systemClock.now(), lateDays, moving, onTable }).finally(() =>
        bar?.stop(),
      );
    },
    ({ bytes, tables }) =>
      [
        table([
          ['table', 'rows', 'MB', 'oldest row', 'new rows in 24 h', 'MB a year'],
          ...tables.map(({ table, rows, bytes, oldest, newRows, bytesPerYear }) => [
            ...[table, rows, megabytes(bytes), oldest?.toISOString().slice(0, 10) ?? '–', newRows ?? '–'],
            bytesPerYear === null ? '–' : megabytes(bytesPerYear),
          ]),
        ]),
        '',
        `The database has ${megabytes(bytes)} MB, with the job queue. A year counts no deletion: see the RETENTION variables. Rows of minutes, snapshots and rolling records are packed after a day: an hour of them is one row, and counts there.`,
      ].join('\n'),
    LONG,
  ),
);

command(
  'unpack-rows',
  'before programs of a version before the packed rows run again: make rows of all hours that are packed. Stop API and workers first',
).action(
  onDb(
    async (db) => {
      for (const spec of PACKED) {
        let bar: Progress | undefined;
        await unpackAll(db, spec, (done, days) => {
          bar ??= progress(`unpack ${spec.hours}`, days, 'days');
          bar.update(done);
        }).finally(() => bar?.stop());
      }
      return {};
    },
    () => 'Nothing is packed any more.',
    { ...LONG, waitMs: LONG.silenceMs },
  ),
);

command(
  'make-partitions',
  'make the partitions of the next days and months also beside a large default partition: it is read for each of them, while its table can be neither read nor written',
).action(
  onDb(
    async (db) => {
      const refusals: string[] = [];
      for (const spec of PARTITIONED) {
        const refusal = await createPartitions(db, spec, systemClock.now(), { mostBytes: Infinity });
        if (refusal) refusals.push(refusal);
      }
      if (refusals.length > 0) process.exitCode = 1;
      return { refusals };
    },
    ({ refusals }) =>
      refusals.join('\n') || 'Every day of the next week, and the next month, has its partition.',
    { ...LONG, waitMs: LONG.silenceMs },
  ),
);

await main(() => parseCommands(program));
