import { Command } from 'commander';
import { alertsCommand } from './bench/alerts.ts';
import { apiCommand } from './bench/api.ts';
import { attributesCommand } from './bench/attributes.ts';
import { billingCommand } from './bench/billing.ts';
import { pipelineCommand } from './bench/pipeline.ts';
import { webhooksCommand } from './bench/webhooks.ts';
import { main } from './terminal.ts';

const program = new Command('bench').description('Measures what the parts cost.');

program.addCommand(pipelineCommand());
program.addCommand(attributesCommand());
program.addCommand(apiCommand());
program.addCommand(alertsCommand());
program.addCommand(webhooksCommand());
program.addCommand(billingCommand());

await main(() => program.parseAsync());
