import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { startChromium } from './page/chromium.ts';
import { README_FOLDER, writeReadmePictures } from './screenshots/readme-pictures.ts';
import { addShop } from './screenshots/shop.ts';
import { takePictures } from './screenshots/take-pictures.ts';
import { Installation } from './support/installation.ts';
import { count } from './support/options.ts';
import { prepares } from './support/prepares.ts';
import { main } from './support/terminal.ts';

interface Options {
  readonly out: string;
  readonly seconds: number;
  readonly locale: string;
  readonly readme?: boolean;
}

const program = new Command('screenshots')
  .description(
    'Takes pictures of the main screens of the web page, on a phone and on a wide screen, light and dark. It starts an ' +
      'installation of its own (database, API, one worker) with three simulated shops and nine made-up days before today, ' +
      'lets it run for a while, and opens the page in a Chromium that comes from npm. It takes about three minutes.',
  )
  .option('--out <folder>', 'folder for the pictures (PNG)', '.data/screenshots')
  .option('--seconds <n>', 'how long the shops run before the pictures are taken', count(1), 60)
  .option('--locale <tag>', 'language and region of the browser', 'en-GB')
  .option('--readme', `also write three compressed pictures to ${README_FOLDER}, for the README`)
  .addHelpText(
    'after',
    '\nExamples:\n  npm run -s screenshots\n  npm run -s screenshots -- --out /tmp/pictures --readme',
  )
  .action(async ({ out, seconds, locale, readme }: Options) => {
    const folder = resolve(out);
    await mkdir(folder, { recursive: true });
    process.stderr.write('Starting the service …\n');
    const installation = await Installation.open({ workers: 1 });
    try {
      const shop = await addShop(installation, seconds);
      const browser = await startChromium();
      try {
        const many = await takePictures(browser, installation, { shop, folder, locale });
        process.stdout.write(`${many} pictures are in ${folder}\n`);
      } finally {
        await browser.close();
      }
      if (readme) for (const line of await writeReadmePictures(folder)) process.stdout.write(`${line}\n`);
    } finally {
      await installation.close();
    }
  });

await main(() => prepares(program, { page: true }).parseAsync());
