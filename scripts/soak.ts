import { runSoak } from './soak/run-soak.ts';
import { measuringCommand } from './support/measuring-command.ts';
import { positive } from './support/options.ts';
import { prepares } from './support/prepares.ts';
import { main, table } from './support/terminal.ts';

const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

const program = measuringCommand({
  name: 'soak',
  description:
    'Runs one worker with many simulated cameras and measures its memory: that of the worker and its lanes, without ' +
    'ffmpeg. Uses a database of its own. Exit code 0 only if RSS grew by less than 5 % after minute 5, every camera had ' +
    'frames and no ffmpeg was left.',
  options: {
    cameras: ['simulated cameras', 8, positive],
    fps: ['frames a second of each', 2, positive],
    minutes: ['how long', 30, positive],
  },
  measure: runSoak,
  report: (result) =>
    table([
      ['measure', 'value'],
      ['cameras × frames/s × minutes', `${result.cameras} × ${result.fps} × ${result.minutes}`],
      [`RSS around minute ${result.baselineMinute}`, mib(result.baselineRssBytes)],
      ['RSS in the last minute', mib(result.endRssBytes)],
      ['growth', `${result.growthPercent.toFixed(2)} %`],
      ['frames processed', `${result.processedFrames} of ${result.wantedFrames} expected`],
      ['frames dropped', String(result.droppedFrames)],
      ['snapshots stored', String(result.snapshots)],
      ['ffmpeg left after the stop', String(result.ffmpegLeft)],
      ['passed', result.passed ? 'yes' : 'no'],
    ]),
}).addHelpText('after', '\nExample:\n  npm run soak -- --cameras 8 --fps 2 --minutes 30');

await main(() => prepares(program).parseAsync());
