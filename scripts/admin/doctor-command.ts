import { printing } from '../support/printing.ts';
import { command } from './command.ts';
import { type Finding, findFaults } from './doctor.ts';

const SIGNS: Readonly<Record<Finding['state'], string>> = { right: '✓', off: '–', wrong: '✗' };

command(
  'doctor',
  'check what the programs need: settings, database, migrations, storage, ffmpeg, models, GPU, language model, mail server; exit code 1 where something is wrong',
).action(
  printing(
    async () => {
      const findings = await findFaults();
      if (findings.some(({ state }) => state === 'wrong')) process.exitCode = 1;
      return { findings };
    },
    ({ findings }) =>
      findings.map(({ part, state, message }) => `${SIGNS[state]} ${part}: ${message}`).join('\n'),
  ),
);
