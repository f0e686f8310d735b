import { join } from 'node:path';
import { Command } from 'commander';
import { PROJECT } from '../src/platform/project.ts';
import { findCluster, startCluster } from './postgres/embedded.ts';
import { main, parseCommands, print } from './support/terminal.ts';

const DATA_DIR = join(PROJECT, '.data/db');

const program = new Command('npm run db --')
  .description(
    'The PostgreSQL for development: its programs come from npm, it listens on loopback, its data is in a folder of the project.',
  )
  .showHelpAfterError();

const dataDirOption = ['--data-dir <folder>', 'folder of the cluster', DATA_DIR] as const;
const jsonOption = ['--json', 'print one JSON document'] as const;

program
  .command('start', { isDefault: true })
  .description('start it, or print where it runs')
  .option(...dataDirOption)
  .option('--port <port>', 'port on 127.0.0.1 (default: the last port, or a free one)', Number)
  .option(...jsonOption)
  .action(async ({ dataDir, port, json }: { dataDir: string; port?: number; json?: boolean }) => {
    const cluster = await startCluster({ dataDir, ...(port ? { port } : {}) });
    print(json, { running: true, url: cluster.url, pid: cluster.pid }, () =>
      [
        cluster.adopted ? 'PostgreSQL runs already.' : 'PostgreSQL runs.',
        'Pass its address to the programs:',
        `  export DATABASE_URL=${cluster.url}`,
        'Migrations find it without that: npx prisma migrate deploy',
        'It runs until: npm run db -- stop',
      ].join('\n'),
    );
  });

program
  .command('status')
  .description('print whether it runs, and where')
  .option(...dataDirOption)
  .option(...jsonOption)
  .action(async ({ dataDir, json }: { dataDir: string; json?: boolean }) => {
    const cluster = await findCluster(dataDir);
    print(json, cluster ? { running: true, url: cluster.url, pid: cluster.pid } : { running: false }, () =>
      cluster ? `PostgreSQL runs at ${cluster.url} (process ${cluster.pid}).` : 'PostgreSQL does not run.',
    );
    if (!cluster) process.exitCode = 3;
  });

program
  .command('url')
  .description('print its address and nothing else')
  .option(...dataDirOption)
  .action(async ({ dataDir }: { dataDir: string }) => {
    const cluster = await findCluster(dataDir);
    if (!cluster) throw new Error('PostgreSQL does not run. Start it: npm run db');
    process.stdout.write(`${cluster.url}\n`);
  });

program
  .command('stop')
  .description('stop it; its data stays')
  .option(...dataDirOption)
  .option(...jsonOption)
  .action(async ({ dataDir, json }: { dataDir: string; json?: boolean }) => {
    const cluster = await findCluster(dataDir);
    await cluster?.stop();
    print(json, { stopped: cluster !== null }, () =>
      cluster ? 'PostgreSQL has ended.' : 'PostgreSQL did not run.',
    );
  });

await main(() => parseCommands(program));
