import { resolve } from 'node:path';
import { Command } from 'commander';
import { main } from '../support/terminal.ts';
import { buildImage, imageStages } from './build-image.ts';
import { settingsOf } from './dockerfile.ts';
import { checkSize, measureTree, sizeTable } from './measure-tree.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const program = new Command('image')
  .description(
    'Takes the steps of the Dockerfile in an empty folder, without Docker: what its images contain, read-only, to run or to pack, and how large its parts are.',
  )
  .argument('<folder>', 'an empty folder outside of the project')
  .option('--packages <folder>', 'take this node_modules instead of `npm ci`: links, no download')
  .action(async (folder: string, { packages }: { packages?: string }) => {
    const to = resolve(folder);
    await buildImage({
      folder: to,
      packages: packages && resolve(packages),
      onStep: (step) => say(`→ ${step}`),
    });
    const size = await measureTree(to);
    say(`\n${sizeTable(size)}`);
    checkSize(size);
    const stages = await imageStages();
    say(`\n${to} is ready. In it, as any user, with DATABASE_URL, DATA_DIR and the secrets set:`);
    for (const name of ['api', 'worker']) {
      const { env, command } = settingsOf(stages, name);
      const { DATA_DIR: _, ...shown } = env;
      say(
        `  ${name.padEnd(7)} ${[...Object.entries(shown).map(([key, value]) => `${key}=${value}`), ...command].join(' ')}`,
      );
    }
  });

await main(() => program.parseAsync());
