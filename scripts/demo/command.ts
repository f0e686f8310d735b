import { Command, InvalidArgumentError } from 'commander';

function positiveSeconds(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('It must be a number of seconds above 0.');
  return value;
}

/** What the demo can be asked; it imports nothing of ours, so that a wrong option is told before anything is built. */
export const demoCommand = (): Command =>
  new Command('demo')
    .description(
      'Starts a database, the API and one worker, analyses a simulated shop (or your camera) and shows its queue live, here and on a web page.\nCtrl-C ends everything. The next start continues with the same data.',
    )
    .option('--source <url|file>', 'a camera address or a video file instead of the simulated shop')
    .option(
      '--zones <file>',
      'JSON file with { zones, parameters } for --source; without it you draw the zones on the page',
    )
    .option('--webhook <url>', 'https address that gets every event; `npm run webhook-receiver` starts one')
    .option(
      '--seconds <n>',
      'end after n seconds of analysis; exit code 0 only if metrics arrived',
      positiveSeconds,
    )
    .option(
      '--data <folder>',
      'folder for the database, the API key and the logs of the demo (default: `demo` in DATA_DIR, which is .data)',
    )
    .option('--port <n>', 'port of the API on 127.0.0.1; if it is in use, a free one', Number, 8080)
    .addHelpText(
      'after',
      '\nExamples:\n  npm run demo\n  npm run demo -- --source shop.mp4\n  npm run demo -- --source rtsp://user:password@192.168.1.20/stream1 --zones zones.json\n  npm run demo -- --seconds 60\n  npm run demo -- --webhook https://localhost:9443/',
    );
