import { Command } from 'commander';
import { adviceCommand } from './evaluate/advice/command.ts';
import { alertsCommand } from './evaluate/alerts/command.ts';
import { attributesCommand } from './evaluate/attributes/command.ts';
import { checkCommand } from './evaluate/checks/command.ts';
import { detectorCommand } from './evaluate/detector/command.ts';
import { drawZonesCommand } from './evaluate/draw-zones.ts';
import { estimateCommand } from './evaluate/estimate/command.ts';
import { feetCommand } from './evaluate/feet/command.ts';
import { shopCommand } from './evaluate/shop/command.ts';
import { shopBoxesCommand } from './evaluate/simulated/command.ts';
import { stillCommand } from './evaluate/still/command.ts';
import { tillsCommand } from './evaluate/tills/command.ts';
import { tillShopsCommand } from './evaluate/tills/shops-command.ts';
import { scoreCommand } from './evaluate/tracks/score-command.ts';
import { trackerCommand } from './evaluate/tracks/tracker-command.ts';
import { videoCommand } from './evaluate/tracks/video-command.ts';
import { usualCommand } from './evaluate/usual/command.ts';
import { visitsCommand } from './evaluate/visits/command.ts';
import { waitsCommand } from './evaluate/waits/command.ts';
import { simulatedWaitsCommand } from './evaluate/waits/simulated-command.ts';
import { main, parseCommands } from './support/terminal.ts';

const program = new Command('evaluate').description(
  'Compares the service with ground truth. Needs no database.',
);
for (const command of [
  ...[
    adviceCommand,
    usualCommand,
    alertsCommand,
    attributesCommand,
    checkCommand,
    detectorCommand,
    drawZonesCommand,
    estimateCommand,
    feetCommand,
  ],
  ...[
    scoreCommand,
    shopCommand,
    shopBoxesCommand,
    stillCommand,
    tillsCommand,
    tillShopsCommand,
    trackerCommand,
    videoCommand,
    visitsCommand,
    waitsCommand,
    simulatedWaitsCommand,
  ],
])
  program.addCommand(command());

await main(() => parseCommands(program));
