import { Command } from 'commander';
import { alerts } from './chaos/alerts.ts';
import { cameras } from './chaos/cameras.ts';
import { erasures } from './chaos/erasures.ts';
import { frozen } from './chaos/frozen.ts';
import { fullDisk } from './chaos/full-disk.ts';
import { keyFrames } from './chaos/key-frames.ts';
import { kills } from './chaos/kills.ts';
import { locked } from './chaos/locked.ts';
import { outage } from './chaos/outage.ts';
import { overload } from './chaos/overload.ts';
import { pictures } from './chaos/pictures.ts';
import { recordings } from './chaos/recordings.ts';
import { restarts } from './chaos/restarts.ts';
import { starts } from './chaos/starts.ts';
import { prepares } from './support/prepares.ts';
import { main, parseCommands } from './support/terminal.ts';

const program = new Command('chaos').description(
  'Breaks an installation of its own (PostgreSQL, API, workers) on purpose, records every change and checks the ' +
    'history afterwards. Exit code 0 only if every promise was kept. CHAOS_KEEP=1 keeps the folder with the logs.',
);
const PARTS = [
  ...[starts, kills, frozen, locked, restarts, cameras],
  ...[keyFrames, pictures, alerts, erasures, outage, fullDisk, overload, recordings],
];
for (const { command } of PARTS) program.addCommand(command);

await main(() => parseCommands(prepares(program)));
