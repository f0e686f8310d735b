import { Command } from 'commander';
import { main } from './support/terminal.ts';

const BENCHES = new Map<string, () => Promise<Command>>([
  ['pipeline', async () => (await import('./bench/pipeline.ts')).pipelineCommand()],
  ['attributes', async () => (await import('./bench/attributes.ts')).attributesCommand()],
  ['api', async () => (await import('./bench/api.ts')).apiCommand()],
  ['alerts', async () => (await import('./bench/alerts.ts')).alertsCommand()],
  ['webhooks', async () => (await import('./bench/webhooks.ts')).webhooksCommand()],
  ['billing', async () => (await import('./bench/billing.ts')).billingCommand()],
]);

const program = new Command('bench').description('Measures what the parts cost.');

await main(async () => {
  // Only what is asked for: all of it would treble the heap, and what its garbage costs would be taken for a frame's.
  const asked = BENCHES.get(process.argv[2] ?? '');
  for (const make of asked ? [asked] : BENCHES.values()) program.addCommand(await make());
  await program.parseAsync();
});
