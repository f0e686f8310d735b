import { Command } from 'commander';
import { ablationCommand } from './evaluate/ablation.ts';
import { alertsCommand } from './evaluate/alerts.ts';
import { attributesCommand } from './evaluate/attributes.ts';
import { shopBoxesCommand } from './evaluate/boxes.ts';
import { detectorCommand } from './evaluate/detector.ts';
import { drawZonesCommand } from './evaluate/draw-zones.ts';
import { faultsCommand } from './evaluate/faults.ts';
import { scoreCommand } from './evaluate/score.ts';
import { shopCommand } from './evaluate/shop.ts';
import { trackerCommand } from './evaluate/tracker.ts';
import { videoCommand } from './evaluate/video.ts';
import { visitsCommand } from './evaluate/visits.ts';
import { main } from './support/terminal.ts';

const program = new Command('evaluate').description(
  'Measures the service against ground truth. Needs no database.',
);

program.addCommand(ablationCommand());
program.addCommand(alertsCommand());
program.addCommand(attributesCommand());
program.addCommand(detectorCommand());
program.addCommand(drawZonesCommand());
program.addCommand(faultsCommand());
program.addCommand(scoreCommand());
program.addCommand(shopCommand());
program.addCommand(shopBoxesCommand());
program.addCommand(trackerCommand());
program.addCommand(videoCommand());
program.addCommand(visitsCommand());

await main(() => program.parseAsync());
