import { Command } from 'commander';
import { main } from './terminal.ts';

const program = new Command('evaluate').description(
  'Measures the service against ground truth. Needs no database.',
);

await main(() => program.parseAsync());
