import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { sealStreamUrl } from '../src/cameras/devices/stream-url.ts';
import { loadConfig, requireDatabaseUrl } from '../src/platform/config.ts';
import { Sealer } from '../src/platform/crypto.ts';
import { describeDatabaseError } from '../src/platform/database/database-check.ts';
import { loadSecrets } from '../src/platform/secrets.ts';
import { lastMidnight, type SeedPlan } from './seed/plan.ts';
import { seedDatabase } from './seed/seed-database.ts';
import { count } from './support/options.ts';
import { main, print } from './support/terminal.ts';

interface Options extends SeedPlan {
  readonly keys?: string;
  readonly json?: boolean;
}

function day(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime()))
    throw new InvalidArgumentError('It must be a time like 2026-01-31T00:00:00Z.');
  return date;
}

const program = new Command('npm run seed --')
  .description(
    'Fills an empty, migrated database (DATABASE_URL) with made-up users, cameras, scenes, rules, alert events with ' +
      'insights, snapshots, minutes, visits and usage, to show how the service behaves with much data. The same options give the same rows; ' +
      'only the API keys differ. The first user is the largest: ten times the devices, every tenth alert event. Images are ' +
      'rows only: the image store stays empty.',
  )
  .option('--users <n>', 'users, each with a key', count(1), 200)
  .option('--devices <n>', 'devices of each user, with one scene and two rules each', count(1), 2)
  .option('--alerts <n>', 'alert events, each with an insight', count(1), 1_000_000)
  .option('--pictured <n>', 'how many of the newest alert events have rows of images', count(0), 20_000)
  .option(
    '--snapshots <n>',
    'metric snapshots; one in twenty belongs to the largest scene',
    count(1),
    5_000_000,
  )
  .option('--rolling <n>', 'rolling records, about', count(0), 100_000)
  .option('--minutes <n>', 'occupancy minutes, the same number for each scene', count(0), 1_000_000)
  .option('--visits <n>', 'visits, spread over the time of the occupancy minutes', count(0), 200_000)
  .option('--tasks <n>', 'ended runs', count(0), 20_000)
  .option('--attributes <n>', 'attribute records, of the LEVEL_02 devices', count(0), 100_000)
  .option('--usage <n>', 'usage events, with their ledger', count(0), 200_000)
  .option(
    '--usage-days <n>',
    'days over which they are spread; billing periods can be compared',
    count(1),
    60,
  )
  .option('--seed <n>', 'all random choices follow from it', count(0), 1)
  .option('--until <time>', 'all rows lie before this time (default: the last midnight, UTC)', day)
  .option(
    '--keys <file>',
    'file for the API keys, readable only by you (default: seed-keys.json in DATA_DIR)',
  )
  .option('--json', 'print one JSON document')
  .action(async ({ keys: file, json, ...options }: Options) => {
    const config = loadConfig();
    const databaseUrl = requireDatabaseUrl(config);
    const sealer = new Sealer(loadSecrets(config).encryptionKeys);
    const plan: SeedPlan = { ...options, until: options.until ?? lastMidnight() };
    const startedAt = Date.now();
    const keys = await seedDatabase(databaseUrl, plan, (url) => sealStreamUrl(sealer, url)).catch(
      (error: unknown) => {
        throw describeDatabaseError(error, databaseUrl);
      },
    );
    const path = resolve(file ?? `${config.dataDir}/seed-keys.json`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
    chmodSync(path, 0o600);
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    print(json, { seconds, keysFile: path, ...plan }, () =>
      [
        `${plan.alerts} alert events with insights and ${plan.snapshots} snapshots of ${plan.users} users in ${seconds} s.`,
        `Their API keys: ${path} (the first one belongs to the largest user)`,
        'Start the API and call it:',
        '  npm start',
        `  KEY=$(node -p 'require("${path}")[0].key')`,
        '  curl -H "Authorization: Bearer $KEY" "localhost:8080/api/v1/analysis/insights?q=umbrella"',
        'To measure the API with a database of its own: npm run -s bench -- api',
      ].join('\n'),
    );
  });

await main(() => program.parseAsync());
