import { Command } from 'commander';
import { main } from './terminal.ts';

const program = new Command('bench').description('Measures what the parts cost.');

await main(() => program.parseAsync());
