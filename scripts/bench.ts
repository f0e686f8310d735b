import { Command } from 'commander';
import { pipelineCommand } from './bench/pipeline.ts';
import { main } from './terminal.ts';

const program = new Command('bench').description('Measures what the parts cost.');

program.addCommand(pipelineCommand());

await main(() => program.parseAsync());
