import { Command } from 'commander';
import { runSoak, type SoakOptions, type SoakResult } from './soak/run-soak.ts';
import { positive } from './support/options.ts';
import { printMeasured } from './support/print-measured.ts';
import { main, table } from './support/terminal.ts';

function report(result: SoakResult): string {
  const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  return table([
    ['measure', 'value'],
    ['cameras × frames/s × minutes', `${result.cameras} × ${result.fps} × ${result.minutes}`],
    [`RSS around minute ${result.baselineMinute}`, mib(result.baselineRssBytes)],
    ['RSS in the last minute', mib(result.endRssBytes)],
    ['growth', `${result.growthPercent.toFixed(2)} %`],
    ['frames processed', `${result.processedFrames} of ${result.wantedFrames} wanted`],
    ['frames dropped', String(result.droppedFrames)],
    ['snapshots stored', String(result.snapshots)],
    ['ffmpeg left after the stop', String(result.ffmpegLeft)],
    ['passed', result.passed ? 'yes' : 'no'],
  ]);
}

const program = new Command('soak')
  .description(
    'Runs one worker with many simulated cameras and watches its memory: the worker and its lanes, ffmpeg apart.\nUses a database of its own, or the one of DATABASE_URL. Exit code 0 only if RSS grew by less than 5 % after\nminute 5, frames came from every camera and no ffmpeg was left.',
  )
  .option('--cameras <n>', 'simulated cameras', positive, 8)
  .option('--fps <n>', 'frames a second of each', positive, 2)
  .option('--minutes <n>', 'how long', positive, 30)
  .option('--json', 'print one JSON document')
  .addHelpText('after', '\nExample:\n  npm run soak -- --cameras 8 --fps 2 --minutes 30')
  .action(async (options: SoakOptions & { json?: boolean }) => {
    const result = await runSoak(options);
    printMeasured(options.json, result, () => report(result));
    if (!result.passed) process.exitCode = 1;
  });

await main(() => program.parseAsync());
